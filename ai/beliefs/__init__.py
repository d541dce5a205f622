"""Beliefs: what one seat can infer about hidden information from what it has seen (docs/beliefs.md)."""

from sfida.ai.beliefs.marginals import Marginal, marginals
from sfida.ai.beliefs.options import BeliefOptions
from sfida.ai.beliefs.particles import ParticleFilter
from sfida.ai.beliefs.policy import HeuristicPolicy, PolicyModel
from sfida.ai.beliefs.seats import Beliefs

__all__ = ["BeliefOptions", "Beliefs", "HeuristicPolicy", "Marginal", "ParticleFilter", "PolicyModel", "marginals"]
