// The documents in answers of an object store, as values. Another module parses the XML.

/// An XML element of an answer: its name without prefix, its text, and its child elements.
package struct S3Element: Sendable, Equatable {
  /// The name.
  package var name: String
  /// The text without surrounding white space.
  package var text: String
  /// The child elements.
  package var children: [S3Element]

  /// Creates an element.
  package init(_ name: String, _ text: String = "", _ children: [S3Element] = []) {
    (self.name, self.text, self.children) = (name, text, children)
  }

  /// The text of the first child with this name.
  package func value(_ name: String) -> String? { children.first { $0.name == name }?.text }

  /// The children with this name.
  package func all(_ name: String) -> [S3Element] { children.filter { $0.name == name } }
}

/// A page of a list of parts.
package struct S3PartPage: Sendable, Equatable {
  /// The parts.
  package var parts: [ObjectUpload.Part]
  /// The number after which the next page begins; `nil` if this is the last page.
  package var next: Int?

  /// Reads a page; `nil` if the document is not a list of parts.
  /// - Parameter algorithm: The checksum of the upload.
  package init?(_ document: S3Element, _ algorithm: DigestAlgorithm?) {
    // The test server Moto uses the second name.
    guard ["ListPartsResult", "ListPartsResponse"].contains(document.name) else { return nil }
    let element = algorithm.flatMap(S3Checksum.name).map { "Checksum\($0)" }
    parts = document.all("Part").compactMap { part in
      guard let number = part.value("PartNumber").flatMap({ Int($0) }), let size = part.value("Size"),
        let count = Int64(size), let etag = part.value("ETag")
      else { return nil }
      let sum = element.flatMap { part.value($0) }.flatMap { $0.isEmpty ? nil : $0 }
      return ObjectUpload.Part(number: number, size: count, etag: ObjectTag.bare(etag), checksum: sum)
    }
    let isCut = document.value("IsTruncated") == "true"
    let marker = document.value("NextPartNumberMarker").flatMap { Int($0) } ?? parts.map(\.number).max()
    next = isCut ? marker : nil
  }
}

/// An unfinished upload in a list.
package struct ListedUpload: Sendable, Equatable {
  /// The key of the object.
  package var key: String
  /// The upload ID that the server gave.
  package var id: String
  /// When the upload began, as the server writes it.
  package var initiated: String

  /// Creates an entry.
  package init(key: String, id: String, initiated: String) {
    (self.key, self.id, self.initiated) = (key, id, initiated)
  }
}

/// A page of a list of uploads.
package struct S3UploadPage: Sendable, Equatable {
  /// The uploads.
  package var uploads: [ListedUpload]
  /// The place where the next page begins; `nil` if this is the last page.
  package var nextKey: String?
  /// The upload of ``nextKey`` after which the next page begins.
  package var nextID: String?

  /// Reads a page; `nil` if the document is not a list of uploads.
  package init?(_ document: S3Element) {
    guard document.name == "ListMultipartUploadsResult" else { return nil }
    uploads = document.all("Upload").compactMap { upload in
      guard let key = upload.value("Key"), let id = upload.value("UploadId"), !id.isEmpty else { return nil }
      return ListedUpload(key: key, id: id, initiated: upload.value("Initiated") ?? "")
    }
    guard document.value("IsTruncated") == "true" else { return }
    nextKey = document.value("NextKeyMarker") ?? uploads.last?.key
    nextID = document.value("NextUploadIdMarker") ?? uploads.last?.id
  }
}
