from sfida.cython_ext.processor import with_faster

__path__ = with_faster(__path__)
