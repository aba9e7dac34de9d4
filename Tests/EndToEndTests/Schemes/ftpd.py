# An FTP server that can log users in, speak TLS, and break rules; only for tests. One JSON object is its argument:
# root, log; users, certificate, key, tls (implicit or explicit); lacks (commands it does not know); cut and short (bytes
# of a file after which it stops once with 426, or always with 226); starts (where it really begins after REST: zero, early
# by one byte, or at a multiple of 512); size (the answer to SIZE).
import json, os, socket, ssl, sys, threading, time

options = json.loads(sys.argv[1])
context = None
if "certificate" in options:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options["certificate"], options["key"])
log = open(options["log"], "a", buffering=1)
cuts = [options["cut"]] if "cut" in options else []
wrong = {"zero": lambda _: 0, "early": lambda start: start - 1, "rounded": lambda start: start // 512 * 512}


def transfer(say, name, start, listener, private):
    path = os.path.join(options["root"], name)
    if not os.path.isfile(path):
        return say(550, "No such file.")
    say(150, "Here it comes.")
    data, _ = listener.accept()
    if private:
        data = context.wrap_socket(data, server_side=True)
    with open(path, "rb") as file:
        file.seek(start)
        content = file.read()
    cut = cuts.pop() if cuts else None
    if "short" in options:
        content = content[: options["short"]]
    data.sendall(content if cut is None else content[:cut])
    if private:
        data.unwrap()
    data.close()
    say(226 if cut is None else 426, "Done." if cut is None else "Cut off.")


def listing(say, path, machine, listener):
    say(150, "Here it comes.")
    data, _ = listener.accept()
    for name in sorted(os.listdir(path)):
        found = os.stat(os.path.join(path, name))
        is_dir = os.path.isdir(os.path.join(path, name))
        if machine:
            changed = time.strftime("%Y%m%d%H%M%S", time.gmtime(found.st_mtime))
            line = f"type={'dir' if is_dir else 'file'};size={found.st_size};modify={changed}; {name}"
        else:
            # Windows' format.
            changed = time.strftime("%m-%d-%y  %I:%M%p", time.gmtime(found.st_mtime))
            line = f"{changed}       {'<DIR>         ' if is_dir else f'{found.st_size:14}'} {name}"
        data.sendall(line.encode() + b"\r\n")
    data.close()
    say(226, "Done.")


def serve(client):
    private, user, start, listener, directory = False, "", 0, None, ""
    secure = options.get("tls") == "implicit"
    if secure:
        client = context.wrap_socket(client, server_side=True)
    reader = client.makefile("r", encoding="utf-8", newline="\r\n")

    def say(code, text):
        client.sendall(f"{code} {text}\r\n".encode())

    say(220, "Ready.")
    while line := reader.readline():
        verb, _, word = line.strip().partition(" ")
        verb = verb.upper()
        log.write(f"{verb} {'…' if verb == 'PASS' else word}{' over TLS' if secure else ''}\n")
        path = os.path.join(options["root"], directory, word)
        if verb in options.get("lacks", []):
            say(502, "Not here.")
        elif verb == "USER":
            user = word
            say(331, "Password?")
        elif verb == "PASS":
            known = options.get("users")
            if known is not None and known.get(user) != word:
                say(530, "Login incorrect.")
            else:
                say(230, "Welcome.")
        elif verb == "AUTH" and context:
            say(234, "Go on.")
            client, secure = context.wrap_socket(client, server_side=True), True
            reader = client.makefile("r", encoding="utf-8", newline="\r\n")
        elif verb == "PROT":
            private = word == "P"
            say(200, "Yes.")
        elif verb in ("PBSZ", "TYPE", "OPTS"):
            say(200, "Yes.")
        elif verb == "PWD":
            say(257, '"/" is here.')
        elif verb == "CWD":
            directory = os.path.join(directory, word) if word != "/" else ""
            found = os.path.isdir(os.path.join(options["root"], directory))
            say(250 if found else 550, "Yes." if found else "No such directory.")
        elif verb == "EPSV":
            listener = socket.create_server(("127.0.0.1", 0))
            say(229, f"Here (|||{listener.getsockname()[1]}|)")
        elif verb in ("SIZE", "MDTM") and not os.path.isfile(path):
            say(550, "No such file.")
        elif verb == "SIZE":
            say(213, options.get("size", os.path.getsize(path)))
        elif verb == "MDTM":
            say(213, time.strftime("%Y%m%d%H%M%S", time.gmtime(os.path.getmtime(path))))
        elif verb == "REST":
            start = wrong.get(options.get("starts"), int)(int(word))
            say(350, "Go on.")
        elif verb == "STOR":
            say(150, "Send it.")
            data, _ = listener.accept()
            if private:
                data = context.wrap_socket(data, server_side=True)
            with open(path, "wb") as file, data.makefile("rb") as source:
                file.write(source.read())
            data.close()
            say(226, "Done.")
        elif verb == "RETR":
            transfer(say, os.path.join(directory, word), start, listener, private)
            start = 0
        elif verb in ("MLSD", "LIST"):
            listing(say, os.path.join(options["root"], directory, word), verb == "MLSD", listener)
        elif verb == "QUIT":
            say(221, "Bye.")
            break
        else:
            say(502, "Not here.")
    client.close()


def guarded(client):
    try:
        serve(client)
    except OSError:
        pass


server = socket.create_server(("127.0.0.1", options["port"]))
while True:
    threading.Thread(target=guarded, args=(server.accept()[0],), daemon=True).start()
