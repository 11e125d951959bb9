"""Figures of accelerators and models, each with its source, and the sizes of number formats."""

from collections.abc import Mapping
from types import MappingProxyType

from calculators.presets import amd, dense_models, google, mixture_models, nvidia
from calculators.presets.dtypes import DTYPES
from calculators.presets.hardware import Devices, Hardware
from calculators.presets.models import Model

HARDWARE = Devices((*nvidia.DEVICES, *amd.DEVICES, *google.DEVICES))
MODELS: Mapping[str, Model] = MappingProxyType(
    {row.slug: row for row in (*dense_models.MODELS, *mixture_models.MODELS)}
)

__all__ = ["DTYPES", "HARDWARE", "MODELS", "Devices", "Hardware", "Model"]
