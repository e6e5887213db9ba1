"""The browsers in which pages are tried."""

import pytest

from tests.wasm import browsers


@pytest.fixture(scope="module", params=browsers.PROGRAMS)
def browser_name(request):
    return request.param
