"""Beliefs: what one seat can infer about hidden information from what it has seen (docs/measure/beliefs.md)."""

from sfida.ai.beliefs.marginals import BeliefOptions, Marginal, marginals
from sfida.ai.beliefs.particles import Beliefs, ParticleFilter
from sfida.ai.beliefs.policy import HeuristicPolicy, PolicyModel

__all__ = ["BeliefOptions", "Beliefs", "HeuristicPolicy", "Marginal", "ParticleFilter", "PolicyModel", "marginals"]
