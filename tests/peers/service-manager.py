"""The socket of a service manager: prints each message that arrives, as JSON. Usage: service-manager.py SOCKET"""
import json
import socket
import sys

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(sys.argv[1])
print(json.dumps("bound"), flush=True)
while True:
    # File descriptors that come along (a barrier of systemd-notify) are closed by the system: that ends the barrier.
    message = manager.recv(4096).decode()
    if message != "BARRIER=1":
        print(json.dumps(message), flush=True)
