// The files in which Amazon's tools keep keys and regions.

import Testing

@testable import DrayDocuments

@Suite struct AWSProfilesTests {
  @Test func sectionsAndValues() throws {
    let file = try AWSProfiles(
      """
      # comment
      stray = ignored
      [default]
      aws_access_key_id = AKIA1
      AWS_Secret_Access_Key=a/b+c==
      ; comment

      [profile work]\r
      region = eu-central-1\r
      s3 =
        endpoint_url = http://h:9000
        other=x
      endpoint_url = http://all
      [sso-session corp]
      region = nowhere
      [  plain  ]
      a = b = c
      """)
    #expect(file["default"] == ["aws_access_key_id": "AKIA1", "aws_secret_access_key": "a/b+c=="])
    #expect(
      file["work"] == [
        "region": "eu-central-1", "s3": "", "s3.endpoint_url": "http://h:9000", "s3.other": "x",
        "endpoint_url": "http://all",
      ])
    #expect(file["plain"] == ["a": "b = c"])
    #expect(file["corp"] == nil && file["stray"] == nil)
  }

  @Test func theFirstFileWins() throws {
    var file = try AWSProfiles("[a]\nx = 1")
    file.add(try AWSProfiles("[a]\nx = 2\ny = 3\n[b]\nz = 4"))
    #expect(file["a"] == ["x": "1", "y": "3"] && file["b"] == ["z": "4"])
  }

  @Test(arguments: [("[default\nx = 1", 1), ("[a]\nAKIASECRET", 2)])
  func whatIsNoProfileIsNotRepeated(text: String, line: Int) throws {
    let error = #expect(throws: DocumentError.self) { try AWSProfiles(text) }
    #expect(try #require(error).line == line)
    #expect(error?.reason.contains("AKIA") == false)
  }
}
