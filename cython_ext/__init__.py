from sfida.cython_ext.processor import check_baseline

check_baseline()
