"""Run with `pytest`, or without it: `python3 test_scanner.py`. Put your driver in the place of `scans`."""
import math
import unittest

from virtual_scanner import VirtualScanner, scans

try:
    import pytest
except ImportError:
    pytest = None

if pytest:

    @pytest.fixture
    def scanner():
        with VirtualScanner("--scene", "gate", "--seed", "7") as started:
            yield started

    def test_a_written_name_is_read_back(scanner):
        scanner.write("LocationName", "Gate 3")
        assert scanner.read("LocationName") == "Gate 3"


class Points(unittest.TestCase):
    def setUp(self):
        self.scanner = VirtualScanner("--scene", "gate", "--seed", "7")
        self.addCleanup(self.scanner.close)

    def test_points_are_where_the_surfaces_are(self):
        frame, points = next(scans(self.scanner))
        truth = self.scanner.truth(frame)
        self.assertEqual(len(points), len(truth))
        errors = [
            abs(math.hypot(x, y) - beam["surface"]["distance"])
            for (x, y), beam in zip(points, truth)
            if (x, y) != (0, 0) and beam["surface"] and not beam["glass"]
        ]
        self.assertLess(sorted(errors)[len(errors) // 2], 20)
        for (x, y), beam in zip(points, truth):
            if (x, y) != (0, 0):
                self.assertAlmostEqual(math.degrees(math.atan2(y, x)), beam["angle"], delta=0.02)


if __name__ == "__main__":
    unittest.main()
