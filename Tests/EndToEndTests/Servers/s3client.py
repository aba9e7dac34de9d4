"""A small client of S3, path style, with signatures of version 4: what tests, the demo and benchmarks need to look into
a bucket by themselves.

Usage: s3client.py COMMAND [ARGUMENT…], with the place in AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
AWS_REGION and the bucket in S3_BUCKET (`bucket`).

  keys [PREFIX]      the keys and sizes of all objects, as JSON
  uploads [PREFIX]   the keys and ids of all unfinished uploads, as JSON
  head KEY           the status and the fields of an object, as JSON
  get KEY FILE       writes an object to a file
  put KEY FILE       makes an object of a file
  delete KEY         removes an object
  start KEY          starts an upload and prints its id
  abort KEY ID       ends an upload
  parts KEY ID       the numbers and sizes of an upload's parts, as JSON
  sha256 KEY         the SHA-256 of an object"""

import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import urllib.parse
import xml.etree.ElementTree as ET

# Seconds for any answer.
LIMIT = 120


class Client:
    """`endpoint` is http://HOST:PORT."""

    def __init__(self, endpoint, access, secret, region="us-east-1", bucket="bucket"):
        self.host = endpoint.split("://", 1)[1].rstrip("/")
        self.access, self.secret, self.region, self.bucket = access, secret, region, bucket

    @classmethod
    def of_environment(cls):
        get = os.environ.get
        return cls(
            os.environ["AWS_ENDPOINT_URL_S3"], os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"],
            get("AWS_REGION", "us-east-1"), get("S3_BUCKET", "bucket"))

    def ask(self, method, key="", query=(), body=b"", fields=()):
        """Returns an open answer; its connection ends with it."""
        path = "/" + self.bucket + ("/" + urllib.parse.quote(key, safe="/-._~") if key else "")
        words = "&".join(
            f"{urllib.parse.quote(name, safe='-._~')}={urllib.parse.quote(str(value), safe='-._~')}"
            for name, value in sorted(dict(query).items()))
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        digest = hashlib.sha256(body).hexdigest()
        # Some servers want every field of S3's own to be signed.
        all_fields = {"host": self.host, "x-amz-content-sha256": digest, "x-amz-date": now}
        all_fields |= {name.lower(): value for name, value in dict(fields).items()}
        signed = {name: value for name, value in sorted(all_fields.items()) if name == "host" or name.startswith("x-amz-")}
        names = ";".join(signed)
        lines = "".join(f"{name}:{value}\n" for name, value in signed.items())
        asked = hashlib.sha256(f"{method}\n{path}\n{words}\n{lines}\n{names}\n{digest}".encode()).hexdigest()
        scope = f"{now[:8]}/{self.region}/s3/aws4_request"
        secret = ("AWS4" + self.secret).encode()
        for word in scope.split("/"):
            secret = hmac.new(secret, word.encode(), hashlib.sha256).digest()
        signature = hmac.new(secret, f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{asked}".encode(), hashlib.sha256).hexdigest()
        connection = http.client.HTTPConnection(self.host, timeout=LIMIT)
        connection.request(method, path + ("?" + words if words else ""), body=body, headers=all_fields | {
            "content-length": str(len(body)),
            "authorization": f"AWS4-HMAC-SHA256 Credential={self.access}/{scope}, SignedHeaders={names}, "
                             f"Signature={signature}"})
        return connection.getresponse()

    def document(self, method, key="", query=(), body=b""):
        """The parsed document of an answer, its names without namespaces."""
        answer = self.ask(method, key, query, body)
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"s3client: {method} {key} {dict(query)}: {answer.status} {text[:300]!r}")
        root = ET.fromstring(text)
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        return root

    def keys(self, prefix=""):
        found, token = [], None
        while True:
            query = {"list-type": "2", "prefix": prefix} | ({"continuation-token": token} if token else {})
            root = self.document("GET", query=query)
            found += [[item.findtext("Key"), int(item.findtext("Size"))] for item in root.iter("Contents")]
            token = root.findtext("NextContinuationToken")
            if root.findtext("IsTruncated") != "true" or not token:
                return found

    def uploads(self, prefix=""):
        root = self.document("GET", query={"uploads": "", "prefix": prefix})
        return [[item.findtext("Key"), item.findtext("UploadId")] for item in root.iter("Upload")]

    def head(self, key):
        answer = self.ask("HEAD", key)
        answer.read()
        return {"status": answer.status, "fields": {name.lower(): value for name, value in answer.getheaders()}}

    def read(self, key):
        """The pieces of an object."""
        answer = self.ask("GET", key)
        if answer.status != 200:
            raise SystemExit(f"s3client: GET {key}: {answer.status} {answer.read()[:300]!r}")
        while piece := answer.read(1 << 20):
            yield piece

    def put(self, key, body):
        answer = self.ask("PUT", key, body=body)
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"s3client: PUT {key}: {answer.status} {text[:300]!r}")

    def delete(self, key, query=()):
        self.ask("DELETE", key, query).read()

    def start(self, key):
        return self.document("POST", key, {"uploads": ""}).findtext("UploadId")

    def parts(self, key, upload):
        root = self.document("GET", key, {"uploadId": upload})
        return [[int(item.findtext("PartNumber")), int(item.findtext("Size"))] for item in root.iter("Part")]

    def sha256(self, key):
        digest = hashlib.sha256()
        for piece in self.read(key):
            digest.update(piece)
        return digest.hexdigest()


def main():
    client = Client.of_environment()
    command, *words = sys.argv[1:]
    if command == "get":
        with open(words[1], "wb") as file:
            for piece in client.read(words[0]):
                file.write(piece)
    elif command == "put":
        with open(words[1], "rb") as file:
            client.put(words[0], file.read())
    elif command == "delete":
        client.delete(words[0])
    elif command == "abort":
        client.delete(words[0], {"uploadId": words[1]})
    elif command in ("start", "sha256"):
        print(getattr(client, command)(*words))
    elif command in ("keys", "uploads", "head", "parts"):
        print(json.dumps(getattr(client, command)(*words)))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
