"""How long a page of the built site keeps the processor busy until it is at rest: seconds of its own thread.

Run by ``make bench-pages`` after ``make book``. Counted is what the page's own thread computes, since the
machine does other things meanwhile. A machine of a quarter of this one's speed needs four times as long; it
should be ready within 2.5 seconds.
"""

import argparse
from statistics import median

from tests.wasm import browsers
from tests.website.pages import FORWARD, served

PAGES = (
    *("book/welcome", "notebooks/osdt", "notebooks/bornagain", "notebooks/tsallis", "notebooks/dyadic"),
    *("book/scorecard", "book/your_table"),
)
AT_REST = 2000  # milliseconds after which nothing moves any more


def busy_seconds(browser, address):
    """Seconds that a page's own thread computes from the first byte until it is at rest."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    try:
        window = context.new_page()
        session = context.new_cdp_session(window)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        window.goto(address)
        window.wait_for_timeout(AT_REST)
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")
    finally:
        context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    if not FORWARD.is_file():
        parser.error("there is no site in _build/html; run `make book` first")
    print(f"{'page':<24}{'least':>8}{'median':>8}{'at a quarter':>14}")
    with browsers.running() as browser, served() as site:
        for page in PAGES:
            spent = [busy_seconds(browser, f"{site}{page}.html") for _ in range(options.repeats)]
            print(f"{page:<24}{min(spent):>8.2f}{median(spent):>8.2f}{4 * median(spent):>14.2f}")


if __name__ == "__main__":
    main()
