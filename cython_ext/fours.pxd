"""Arithmetic on arrays, four numbers at a time, in a fixed order: every machine gets the same results.

Compilers may not reorder additions, so they cannot vectorise these sums by themselves. Every `n` is a literal multiple
of four; then the compiler unrolls the loop.
"""


cdef extern from *:
    """
    #ifndef SF_FOURS
    #define SF_FOURS
    #include <string.h>
    typedef double sf_four __attribute__((vector_size(32)));
    #define SF_FOURS_OF(name) static inline __attribute__((always_inline)) name
    #define SF_EACH_FOUR(n) (int i = 0; i < (n); i += 4)

    SF_FOURS_OF(sf_four sf_load)(const double* x) {
        sf_four found;
        memcpy(&found, x, sizeof found);
        return found;
    }

    SF_FOURS_OF(void sf_add)(double* to, const double* x, int n) {
        for SF_EACH_FOUR(n) {
            sf_four found = sf_load(to + i) + sf_load(x + i);
            memcpy(to + i, &found, sizeof found);
        }
    }

    SF_FOURS_OF(void sf_beyond)(double* to, double scale, const double* x, double part, const double* all,
                                double others, int n) {
        for SF_EACH_FOUR(n) {
            sf_four each = sf_load(x + i), found = scale * (each - part * (sf_load(all + i) - each) / others);
            memcpy(to + i, &found, sizeof found);
        }
    }

    SF_FOURS_OF(sf_four sf_products)(const double* x, const double* y, int n) {
        sf_four sum = sf_load(x) * sf_load(y);
        for SF_EACH_FOUR(n - 4)
            sum += sf_load(x + i + 4) * sf_load(y + i + 4);
        return sum;
    }

    SF_FOURS_OF(double sf_dot)(const double* x, const double* y, int n) {
        sf_four sum = sf_products(x, y, n);
        return (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }

    SF_FOURS_OF(double sf_dots)(const double* a, const double* x, const double* b, const double* y, int n) {
        sf_four sum = sf_products(a, x, n) + sf_products(b, y, n);
        return (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
    #endif
    """
    # to += x
    void add "sf_add"(double* to, const double* x, int n) noexcept nogil
    # to = scale * (x - part * (all - x) / others)
    void beyond "sf_beyond"(double* to, double scale, const double* x, double part, const double* all, double others,
                            int n) noexcept nogil
    # sum of the products x * y; sum of the products a * x and b * y
    double dot "sf_dot"(const double* x, const double* y, int n) noexcept nogil
    double dots "sf_dots"(const double* a, const double* x, const double* b, const double* y, int n) noexcept nogil
