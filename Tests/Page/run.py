"""Runs the tests of the page as `python -m unittest` does. With PAGE_EVENTS=FILE it writes the result of each test there, as
`swift test --event-stream-output-path` does, so that the gate counts them (scripts/gate-report.py).

    python run.py [-C DIR] [TEST…]     such as test_jobs or test_access.Names; DIR has other tests, in place of those of the page
"""

import json
import os
import sys
import unittest


class Recorder(unittest.TextTestResult):
    """Writes events in addition to the usual output."""

    stream_of_events = None
    group = "Page"

    def event(self, kind, test, **more):
        if self.stream_of_events:
            identity = f"{self.group}.{type(test).__module__}.{type(test).__name__}/{test.id().split('.')[-1]}/{type(test).__module__}.py:1:1"
            payload = {"kind": kind, "testID": identity, **more}
            print(json.dumps({"kind": "event", "payload": payload}), file=self.stream_of_events, flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.event("testStarted", test)

    def stopTest(self, test):
        super().stopTest(test)
        self.event("testEnded", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.event("testSkipped", test, messages=[{"symbol": "skip", "text": f'skipped: "{reason}"'}])

    def issue(self, test):
        self.event("issueRecorded", test, issue={"isFailure": True})

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.issue(test)

    def addError(self, test, err):
        super().addError(test, err)
        self.issue(test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.issue(test)


def main():
    path = os.environ.get("PAGE_EVENTS")
    Recorder.stream_of_events = open(path, "w", encoding="utf-8") if path else None
    place, names = os.path.dirname(os.path.abspath(__file__)), sys.argv[1:]
    if names[:1] == ["-C"]:
        place, names = os.path.abspath(names[1]), names[2:]
        sys.path[0] = place
        Recorder.group = os.path.basename(place)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(place)
    result = unittest.TextTestRunner(resultclass=Recorder, verbosity=1).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)


if __name__ == "__main__":
    main()
