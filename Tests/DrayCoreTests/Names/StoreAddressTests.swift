// The job store that a text means, and how the text is shown.

import DrayCore
import Testing

@Suite struct StoreAddressTests {
  @Test(
    "texts and their stores",
    arguments: [
      ("state", .directory("state")), ("/var/lib/dray", .directory("/var/lib/dray")), ("a:b", .directory("a:b")),
      ("postgresql://h/d", .database("postgresql://h/d")), ("postgres://h/d", .database("postgres://h/d")),
      ("POSTGRESQL://u@h,k/d?sslmode=1", .database("postgresql://u@h,k/d?sslmode=1")),
      ("dir/a://b", .directory("dir/a://b")),
    ] as [(String, StoreAddress)])
  func read(_ text: String, _ expected: StoreAddress) throws {
    #expect(try StoreAddress.parse(text) == expected)
  }

  @Test(
    "other texts are refused, and not repeated",
    arguments: ["", "mysql://u:s3cret@h/d", "http://h", "postgresql://h/\n"])
  func refused(_ text: String) throws {
    let problem = #expect(throws: StoreAddressProblem.self) { try StoreAddress.parse(text) }
    #expect(problem?.reason.contains("s3cret") == false)
  }

  @Test(
    "libpq's keywords are no directory, and what libpq does not know is named without its value",
    arguments: [
      ("host=db password=s3cret", "list of keywords"), ("dbname = jobs", "list of keywords"),
      ("postgresql://h/d?wrnog=s3cret", "unknown parameter wrnog"), ("postgresql://h/d?s3cret", "unknown parameter 1"),
      ("postgresql://u:p@h/d?user=a&PORT=s3cret", "unknown parameter PORT"),
      ("postgresql://h/d?password=a&s3cret=b", "unknown parameter 2"), ("./host=db", nil), ("a/b=c", nil), ("b=c", nil),
      ("postgresql://u:a?b=c@h/d?user=x&sslmode=require", nil),
    ] as [(String, String?)])
  func parameters(_ text: String, _ reason: String?) {
    do throws(StoreAddressProblem) {
      _ = try StoreAddress.parse(text)
      #expect(reason == nil)
    } catch {
      #expect(reason.map { error.reason.contains($0) } ?? false, "\(error.reason)")
      #expect(!error.reason.contains("s3cret"))
    }
  }

  /// Columns: the text, how it is shown, whether it has a password.
  private static let shown: [(String, String, Bool)] = [
    ("postgresql://h/d", "postgresql://h/d", false), ("postgresql://ann@h/d", "postgresql://ann@h/d", false),
    ("postgresql://ann:s3cret@h:5432/d", "postgresql://ann:…@h:5432/d", true),
    ("postgresql://ann:@h/d", "postgresql://ann:@h/d", false),
    ("postgresql://ann:s3/cr?et@h/d", "postgresql://ann:…@h/d", true),
    ("postgresql://ann:s3@cret@h/d", "postgresql://ann:…@h/d", true),
    (
      "postgresql://h/d?user=ann&password=s3cret&sslmode=require",
      "postgresql://h/d?user=ann&password=…&sslmode=require", true
    ),
    ("postgresql://h/d?PASSWORD=s3cret", "postgresql://h/d?PASSWORD=…", true),
    ("postgresql://h/d?p%61ssword=s3cret", "postgresql://h/d?p%61ssword=…", true),
    ("postgresql:///?service=dray", "postgresql:///?service=dray", false),
    ("postgresql://h/\u{1B}", "postgresql://h/\\u{1B}", false),
  ]

  @Test(arguments: StoreAddressTests.shown.indices)
  func secretsAreNotShown(index: Int) {
    let (text, expected, hasPassword) = Self.shown[index]
    #expect(StoreAddress.shown(text) == expected)
    #expect(StoreAddress.hasPassword(text) == hasPassword)
  }

  @Test(
    "labels of part files that name a store of several machines",
    arguments: [("/home/a/dray", false), ("postgresql:8F1C", true), ("dray", false), ("", false)])
  func labels(_ label: String, _ isShared: Bool) {
    #expect(PartOwnership.isShared(label) == isShared)
    #expect(PartOwnership.isFenced(by: label) == isShared)
    #expect(!PartOwnership.isFenced(by: nil))
  }
}
