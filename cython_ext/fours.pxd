"""Arrays of numbers, four at a time: in the same order, and so with the same results, on every machine.

Compilers may not add up in another order than the one written, so they do not find this by themselves.
"""


cdef extern from *:
    """
    #ifndef SF_FOURS
    #define SF_FOURS
    #include <string.h>
    typedef double sf_four __attribute__((vector_size(32)));

    static inline sf_four sf_load_four(const double* x) {
        sf_four found;
        memcpy(&found, x, sizeof found);
        return found;
    }

    #define SF_PRODUCTS(x, y, i) (sf_load_four((x) + (i)) * sf_load_four((y) + (i)))

    static inline double sf_dot_of_twelve(const double* x, const double* y) {
        sf_four sum = SF_PRODUCTS(x, y, 0) + SF_PRODUCTS(x, y, 4) + SF_PRODUCTS(x, y, 8);
        return (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }

    static inline double sf_dots_of_twelve(const double* a, const double* x, const double* b, const double* y) {
        sf_four sum = (SF_PRODUCTS(a, x, 0) + SF_PRODUCTS(a, x, 4) + SF_PRODUCTS(a, x, 8))
                      + (SF_PRODUCTS(b, y, 0) + SF_PRODUCTS(b, y, 4) + SF_PRODUCTS(b, y, 8));
        return (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }

    static inline void sf_add_twelve(double* to, const double* x) {
        sf_four sum;
        int i;
        for (i = 0; i < 12; i += 4) {
            sum = sf_load_four(to + i) + sf_load_four(x + i);
            memcpy(to + i, &sum, sizeof sum);
        }
    }

    static inline void sf_twelve_beyond(double* to, double scale, const double* x, double part,
                                        const double* all, double n) {
        sf_four found, each;
        int i;
        for (i = 0; i < 12; i += 4) {
            each = sf_load_four(x + i);
            found = scale * (each - part * (sf_load_four(all + i) - each) / n);
            memcpy(to + i, &found, sizeof found);
        }
    }
    #endif
    """
    double dot_of_twelve "sf_dot_of_twelve"(const double* x, const double* y) noexcept nogil
    # the sum of both products
    double dots_of_twelve "sf_dots_of_twelve"(const double* a, const double* x, const double* b,
                                              const double* y) noexcept nogil
    void add_twelve "sf_add_twelve"(double* to, const double* x) noexcept nogil
    # to = scale * (x - part * (all - x) / n)
    void twelve_beyond "sf_twelve_beyond"(double* to, double scale, const double* x, double part, const double* all,
                                          double n) noexcept nogil
