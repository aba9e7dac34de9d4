// The settings of jobs whose target is an object. If the target is a file, they have no effect.

extension Setting {
  static let objects: [Setting] = [
    Setting(
      reading: "target-profile",
      copy: copyAccess,
      values: { [$0.options.object?.targetProfile].compactMap(\.self) }
    ).help(
      "Write to s3 targets with the keys, the region and the server of this profile of the AWS files.",
      """
      Otherwise --aws-profile, --aws-region and --endpoint-url are for s3 URLs and for s3 targets. With this one, they are \
      for the URLs only.
      """, value: "name"
    ).refusedToClients("it would use keys of this machine").with { $0.group = s3Group }.about(.s3),
    Setting("storage-class", .word("A", 64), optional: \.objectOptions.storageClass).help(
      "The storage class of s3 targets, such as STANDARD_IA or INTELLIGENT_TIERING.", value: "class",
      offers: .words([
        "STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE",
        "REDUCED_REDUNDANCY",
      ])
    ).refusedToClients("it decides what the storage costs").forClients.about(.s3),
    Setting("sse", .encryption, optional: \.objectOptions.encryption).help(
      "Have the server encrypt s3 targets: AES256, aws:kms, or aws:kms/KEY.",
      "KEY is the id, the alias or the ARN of a key. aws:kms:dsse encrypts twice.", value: "how",
      offers: .words(["AES256", "aws:kms", "aws:kms:dsse"])
    ).refusedToClients("it would use keys of this user").forClients.about(.s3),
    Setting("acl", .word("a", 64), optional: \.objectOptions.cannedACL).help(
      "The canned access control list of s3 targets, such as bucket-owner-full-control.", value: "acl",
      offers: .words([
        "private", "public-read", "public-read-write", "authenticated-read", "bucket-owner-read",
        "bucket-owner-full-control",
      ])
    ).refusedToClients("who may read the objects is said on this machine").forClients.about(.s3),
    properties("meta", \.objectOptions.metadata, ObjectProperty.metadata, ObjectProperty.objection(toMetadata:)).help(
      "Store this metadata with s3 targets; may be repeated.",
      """
      As x-amz-meta-NAME, in printable ASCII. Names that begin with dray- are those that dray writes: the URL without \
      secrets, its ETag and Last-Modified, and the SHA-256 where it is known.
      """, value: "name=value"
    ).refusedToClients("the objects are this user's").forClients.about(.s3),
    properties("tag", \.objectOptions.tags, ObjectProperty.tag, ObjectProperty.objection(toTags:)).help(
      "Give s3 targets this tag; may be repeated, for at most \(ObjectProperty.mostTags).",
      "The keys need s3:PutObjectTagging.", value: "name=value"
    ).refusedToClients("the objects are this user's").forClients.about(.s3),
    Setting("upload-memory", .uploadMemory, optional: \.objectOptions.uploadMemory).usually(
      "\(ObjectOptions.usualMemory >> 20)M"
    ).help(
      "Keep at most this much in memory on its way to s3 targets (default: {default}).",
      """
      Over all jobs of a runner; of different values the largest counts. A bucket that is slower than the source slows the \
      source down, and fewer connections are used if their parts would not fit.
      """, value: "size"
    ).refusedToClients("the memory is this machine's").forClients.about(.s3),
  ]

  /// Copies the access to an object store; the stored keys stay if the new access has none.
  @Sendable static func copyAccess(_ from: JobSpecification, _ to: inout JobSpecification) {
    guard var access = from.options.object?.access else {
      if to.options.object?.hasOwnAccess ?? false {
        (to.objectOptions.access, to.objectOptions.hasOwnAccess) = (nil, nil)
      }
      return
    }
    // Keep the old trust: the new access comes only from the options of S3, and the caller applies changed options for
    // certificates.
    if let old = to.options.object?.access { access.signature.trust = old.signature.trust }
    if access.credentials == nil, access.signature.profile == nil, let old = to.options.object?.access {
      access.credentials = old.credentials
      access.signature.sessionToken = old.signature.sessionToken
    }
    to.objectOptions.access = access
    to.objectOptions.hasOwnAccess = from.options.object?.hasOwnAccess
  }

  /// Pairs of a name and a value; each name occurs once.
  private static func properties(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, [ObjectProperty]?> & Sendable,
    _ parse: @escaping @Sendable (String) throws(ObjectPropertyError) -> ObjectProperty,
    _ objection: @escaping @Sendable ([ObjectProperty]) -> String?
  ) -> Setting {
    Setting(
      name, .strings, values: { job in (job[keyPath: path] ?? []).map(\.text) },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        var all: [ObjectProperty] = []
        for text in texts {
          let one = try SettingForm<ObjectProperty>.described { () throws(ObjectPropertyError) in try parse(text) }
          all.removeAll { $0.name == one.name }
          all.append(one)
        }
        if let reason = objection(all) { throw SettingProblem(reason) }
        job[keyPath: path] = all.isEmpty ? nil : all
      }, copy: { from, to in to[keyPath: path] = from[keyPath: path] })
  }
}

extension SettingForm where Value == String {
  /// A word of letters, digits, `-` and `_`, such as a storage class. The word is not compared with known words,
  /// because servers other than Amazon's have different words.
  /// - Parameter example: A letter; all letters of the word get its case.
  fileprivate static func word(_ example: Character, _ longest: Int) -> SettingForm {
    SettingForm(text: { $0 }) { (text, _) throws(SettingProblem) in
      let word = example.isUppercase ? text.uppercased() : text.lowercased()
      guard (1...longest).contains(word.utf8.count),
        word.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F })
      else { throw SettingProblem("\(SettingProblem.quote(text)) is not a word of letters, digits, - and _") }
      return word
    }
  }
}

extension SettingForm where Value == ObjectEncryption {
  fileprivate static var encryption: SettingForm {
    SettingForm(text: { $0.text }) { (text, _) throws(SettingProblem) in
      if let one = ObjectEncryption(text) { return one }
      throw SettingProblem("\(SettingProblem.quote(text)) is not an encryption", advice: "write AES256 or aws:kms")
    }
  }
}

extension SettingForm where Value == Int64 {
  fileprivate static var uploadMemory: SettingForm {
    SettingForm(text: { "\($0)" }) { (text, context) throws(SettingProblem) in
      let bytes = try size.parse(text, context)
      guard bytes >= ObjectOptions.leastMemory else {
        throw SettingProblem("a part and the next one need \(ObjectOptions.leastMemory >> 20)M at least")
      }
      return bytes
    }
  }
}
