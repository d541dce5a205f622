"""The bridge to catanatron, a simulator of the parent game (ZAR-24): its games as Sfida's moves."""
