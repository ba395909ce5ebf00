"""Tests of an integration against the sandbox: copy this file and write your own.

Usage: with the variables of practice-sandbox set, python3 -m unittest test_suite. Each test
begins with the firm as it was made up, and fails for every request that the interface does
not allow and for every fault that no request has met.
"""

import json
import os
import unittest
import urllib.error
import urllib.request

ENV = {name.removeprefix("PRACTICE_"): value for name, value in os.environ.items() if name.startswith("PRACTICE_")}
KEY = {"x-api-key": ENV["API_KEY"]}
USER = KEY | {"Authorization": "Bearer " + ENV["ACCESS_TOKEN"]}
FEE = f"/matters/{ENV['MATTER_ID']}/fees/{ENV['FEE_ID']}"


def request(address, method="GET", body=None, headers=KEY):
    """Makes a request and returns the status and what the answer holds."""
    data = None if body is None else json.dumps(body).encode()
    headers = headers | ({} if body is None else {"Content-Type": "application/json"})
    try:
        answer = urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method), timeout=30)
    except urllib.error.HTTPError as refused:
        answer = refused
    with answer:
        content = answer.read()
    return answer.status, json.loads(content) if content else None


def sandbox(method, path, body=None):
    """Sends a command to the sandbox and returns what it answers."""
    status, answer = request(ENV["SANDBOX_URL"] + path, method, body)
    assert status < 300, (method, path, answer)
    return answer


def rename_fee(subject):
    """Stands for the code under test: it tries a refusal for its rate once more."""
    for _ in range(2):
        status, _ = request(ENV["BASE_URL"] + FEE, "PATCH", {"subject": subject}, USER)
        if status != 429:
            break
    return status


def subject():
    return request(ENV["BASE_URL"] + FEE, headers=USER)[1]["subject"]


class Integration(unittest.TestCase):
    def setUp(self):
        sandbox("POST", "/reset", {"clock": True})
        self.addCleanup(lambda: self.assertEqual([], sandbox("DELETE", "/violations")["value"]))
        self.addCleanup(lambda: self.assertEqual([], sandbox("GET", "/unmet")["value"]))

    def test_a_write_is_seen_when_it_has_taken_effect(self):
        self.assertEqual(202, rename_fee("Advice"))
        sandbox("POST", "/settle")
        self.assertEqual("Advice", subject())

    def test_a_refusal_for_the_rate_is_tried_again(self):
        sandbox("POST", "/faults", {"operation": "patchFee", "kind": "rate-limit"})
        self.assertEqual(202, rename_fee("Advice"))
        self.assertEqual([429, 202], [sent["status"] for sent in sandbox("GET", "/requests")["value"]])

    def test_a_refusal_says_why_in_the_log(self):
        self.assertEqual(400, rename_fee(""))
        [sent] = sandbox("GET", "/requests")["value"]
        self.assertIn("subject", sent["answer"])
        self.assertEqual(1, len(sent["violations"]))
        self.assertEqual(1, len(sandbox("DELETE", "/violations")["value"]), "it was made on purpose")

    def test_a_write_that_fails_late_changes_nothing(self):
        before = subject()
        sandbox("POST", "/failures", {"operation": "patchFee", "message": "The fee is finalized"})
        self.assertEqual(202, rename_fee("Advice"))
        sandbox("POST", "/settle")
        self.assertEqual(before, subject())
        [failed] = sandbox("GET", "/failures")["value"]
        self.assertIn("The fee is finalized", failed)

    def test_an_answer_of_ones_own(self):
        sandbox("POST", "/stubs", {"pattern": "GET " + FEE, "body": json.dumps({"subject": "Stubbed"})})
        self.assertEqual("Stubbed", subject())

    def test_a_fault_that_nothing_meets_is_told(self):
        sandbox("POST", "/faults", {"operation": "patchFee", "kind": "rate-limit"})
        self.assertEqual(['the fault injected for "patchFee" was not used by any request'], sandbox("GET", "/unmet")["value"])
        sandbox("DELETE", "/faults")

    def test_a_record_of_ones_own(self):
        made = sandbox("POST", "/records", {"path": "/activitycodes", "record": {"code": "ADV"}})["id"]
        self.assertEqual("ADV", request(ENV["BASE_URL"] + "/activitycodes/" + made, headers=USER)[1]["code"])
        self.assertEqual("Application", sandbox("GET", "/changes")["value"][-1]["source"])


if __name__ == "__main__":
    unittest.main()
