"""An SSH server with one user and a fixed set of commands: a device that is managed over SSH."""
import json
import socket
import sys
import threading

import paramiko

device = json.load(open(sys.argv[1]))
key = paramiko.ECDSAKey.generate()


class Device(paramiko.ServerInterface):
    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED

    def get_allowed_auths(self, username):
        return device["method"]

    def check_auth_password(self, username, password):
        isRight = username == device["userName"] and password == device["password"]
        return paramiko.AUTH_SUCCESSFUL if isRight else paramiko.AUTH_FAILED

    def check_auth_interactive(self, username, submethods):
        return paramiko.InteractiveQuery("", "", ("Password: ", False))

    def check_auth_interactive_response(self, responses):
        return self.check_auth_password(device["userName"], responses[0] if responses else "")

    def check_channel_exec_request(self, channel, command):
        threading.Thread(target=answer, args=(channel, command.decode()), daemon=True).start()
        return True


def answer(channel, command):
    print("ran " + command, flush=True)
    known = device["commands"].get(command)
    if known is None:
        channel.sendall_stderr(("sh: not found: " + command + "\n").encode())
        channel.send_exit_status(127)
    elif known != device["hangs"]:
        channel.sendall(known.encode())
        channel.send_exit_status(0)
    else:
        return
    channel.close()


def serve(connection):
    transport = paramiko.Transport(connection)
    transport.add_server_key(key)
    try:
        transport.start_server(server=Device())
    except Exception:
        pass  # somebody who does not like our key goes away


listener = socket.create_server(("127.0.0.1", 0))
print("key " + key.get_name() + " " + key.get_base64(), flush=True)
print("listening on %d" % listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
