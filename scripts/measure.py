"""measure.py INPUT PROGRAM WORDS...: wall ms, CPU ms of the program and its children, peak MB of the largest of them."""
import resource
import subprocess
import sys
import time

with open(sys.argv[1], "rb") as source:
    began = time.monotonic()
    subprocess.run(sys.argv[2:], stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wall = (time.monotonic() - began) * 1000
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{wall:.1f} {(used.ru_utime + used.ru_stime) * 1000:.1f} {used.ru_maxrss / 1024:.1f}")
