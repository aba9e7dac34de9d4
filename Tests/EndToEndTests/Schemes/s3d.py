# moto's S3 with checked signatures. Its argument is a port; it prints keys as one line of JSON and serves
# until it is killed: those of a user, and those of a role with their session token.
import json, sys, time, urllib.request

import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False)
server.start()
endpoint = f"http://127.0.0.1:{sys.argv[1]}"


def client(name):
    return boto3.client(
        name, endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="y")


def policy(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


everything = policy({"Effect": "Allow", "Action": "s3:*", "Resource": "*"})
iam = client("iam")
iam.create_user(UserName="ann")
iam.put_user_policy(UserName="ann", PolicyName="all", PolicyDocument=everything)
user = iam.create_access_key(UserName="ann")["AccessKey"]
iam.create_role(RoleName="reader", AssumeRolePolicyDocument=policy())
iam.put_role_policy(RoleName="reader", PolicyName="all", PolicyDocument=everything)
role = client("sts").assume_role(RoleArn="arn:aws:iam::123456789012:role/reader", RoleSessionName="session")

s3 = client("s3")
s3.create_bucket(Bucket="files", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
for key in sys.argv[3:]:
    with open(sys.argv[2], "rb") as file:
        s3.put_object(Bucket="files", Key=key, Body=file.read())

request = urllib.request.Request(
    endpoint + "/moto-api/reset-auth", data=b"0", method="POST", headers={"Content-Type": "text/plain"})
urllib.request.urlopen(request).read()
names = ["AccessKeyId", "SecretAccessKey"]
print(
    json.dumps({
        "user": [user[name] for name in names], "role": [role["Credentials"][name] for name in names + ["SessionToken"]]
    }), flush=True)
while True:
    time.sleep(60)
