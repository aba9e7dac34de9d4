// Where the token, the hub and the cache of Hugging Face are.

import DrayCore
import Testing

@testable import DrayKit

@Suite struct HuggingFacePlacesTests {
  private func places(_ environment: [String: String], _ files: [String: String] = [:]) -> TokenPlaces {
    TokenPlaces(environment: environment, home: "/home/ann") { files[$0] }
  }

  private static let files = [
    "/home/ann/.cache/huggingface/token": "hf_file\n", "/x/huggingface/token": "hf_xdg", "/h/token": " hf_home ",
    "/t": "hf_path", "/v/ann/token": "hf_expanded", "/two": "hf_a\nhf_b", "/odd": "hf_\u{E9}",
  ]

  @Test(
    arguments: [
      ([:], "hf_file"), (["HF_TOKEN": "hf_env"], "hf_env"), (["HF_TOKEN": ""], "hf_file"),
      (["HUGGING_FACE_HUB_TOKEN": "hf_old"], "hf_old"),
      (["HF_TOKEN": "hf_env", "HUGGING_FACE_HUB_TOKEN": "hf_old", "HF_TOKEN_PATH": "/t"], "hf_env"),
      (["XDG_CACHE_HOME": "/x"], "hf_xdg"), (["XDG_CACHE_HOME": "/x", "HF_HOME": "/h"], "hf_home"),
      (["HF_HOME": "/h", "HF_TOKEN_PATH": "/t"], "hf_path"), (["HF_TOKEN_PATH": "/none"], nil),
      (["HF_HOME": "$V/${WHO}", "V": "/v", "WHO": "ann"], "hf_expanded"),
      (["HF_HOME": "~/.cache/huggingface"], "hf_file"),
      (["HF_TOKEN_PATH": "/two"], nil), (["HF_TOKEN_PATH": "/odd"], nil), (["HF_TOKEN": "a b"], nil),
      (["HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_TOKEN": "hf_env"], nil),
      (["HF_HUB_DISABLE_IMPLICIT_TOKEN": "0"], "hf_file"),
    ] as [([String: String], String?)])
  func token(environment: [String: String], token: String?) {
    #expect(places(environment, Self.files).huggingFaceToken == token)
  }

  @Test("only the hub gets the token")
  func origin() throws {
    let environment = ["HF_TOKEN": "hf_env", "HF_ENDPOINT": "https://hub.example:8443/hf/"]
    let here = places(environment)
    #expect(
      here.huggingFaceField(for: try url("https://hub.example:8443/hf/api/x"))
        == HeaderField("Authorization", "Bearer hf_env"))
    for other in [
      "https://huggingface.co/a", "https://hub.example/a", "http://hub.example:8443/a",
      "https://cdn.hub.example:8443/a",
    ] {
      #expect(here.huggingFaceField(for: try url(other)) == nil, "\(other)")
    }
    #expect(places([:], Self.files).huggingFaceField(for: try url("https://huggingface.co/a")) != nil)
    #expect(places([:]).huggingFaceField(for: try url("https://huggingface.co/a")) == nil)
  }

  @Test(arguments: ["ftp://h/", "hub", "https://u:p@h/", "https://"])
  func noHub(text: String) {
    let failure = #expect(throws: Failure.self) { try places(["HF_ENDPOINT": text]).huggingFaceHub() }
    #expect(failure?.description.contains("u:p") == false)
  }

  @Test(
    arguments: [
      ([:], "/home/ann/.cache/huggingface/hub"), (["HF_HOME": "/h"], "/h/hub"), (["HF_HUB_CACHE": "/c"], "/c"),
      (["HUGGINGFACE_HUB_CACHE": "/old", "HF_HOME": "/h"], "/old"),
      (["HF_HUB_CACHE": "relative"], "/home/ann/.cache/huggingface/hub"),
    ] as [([String: String], String)])
  func cache(environment: [String: String], path: String) { #expect(places(environment).huggingFaceCache == path) }

  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }
}
