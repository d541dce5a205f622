from sfida.cython_ext.instruction_set import with_faster

__path__ = with_faster(__path__)
