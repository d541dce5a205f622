/* Comes before the C that Cython writes, when it is compiled for WebAssembly with the headers of a 64-bit Python.
   Only the Limited API is used: its modules load in any later Python 3, Pyodide's among them. */
#define PY_SSIZE_T_CLEAN
#include "pyconfig.h"
#undef SIZEOF_LONG
#undef SIZEOF_VOID_P
#undef SIZEOF_SIZE_T
#undef SIZEOF_UINTPTR_T
#undef SIZEOF_PTHREAD_T
#undef SIZEOF_PTHREAD_KEY_T
#undef SIZEOF_TIME_T
#undef SIZEOF_FPOS_T
#undef SIZEOF_LONG_DOUBLE
#undef SIZEOF_WCHAR_T
#undef ALIGNOF_LONG
#undef ALIGNOF_SIZE_T
#undef HAVE_GCC_UINT128_T
#define SIZEOF_LONG 4
#define SIZEOF_VOID_P 4
#define SIZEOF_SIZE_T 4
#define SIZEOF_UINTPTR_T 4
#define SIZEOF_PTHREAD_T 4
#define SIZEOF_PTHREAD_KEY_T 4
#define SIZEOF_TIME_T 8
#define SIZEOF_FPOS_T 16
#define SIZEOF_LONG_DOUBLE 16
#define SIZEOF_WCHAR_T 4
#define ALIGNOF_LONG 4
#define ALIGNOF_SIZE_T 4
#include "Python.h"

/* Objects of later versions count their references in another way: by functions. */
#undef Py_INCREF
#undef Py_DECREF
#undef Py_XINCREF
#undef Py_XDECREF
#undef Py_NewRef
#undef Py_XNewRef
#define Py_INCREF(op) Py_IncRef((PyObject *)(op))
#define Py_DECREF(op) Py_DecRef((PyObject *)(op))
#define Py_XINCREF(op) Py_IncRef((PyObject *)(op))
#define Py_XDECREF(op) Py_DecRef((PyObject *)(op))
