package corfu.pki;

import corfu.pki.internal.directory.IssuedRecord;
import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.token.CompactToken;
import corfu.pki.internal.x509.Keys;
import corfu.pki.internal.x509.RevocationList;
import corfu.pki.internal.x509.SigningRequests;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Files in PEM format and tokens, which strangers write. The first byte selects the kind. Failures
 * are always {@link PkiException}, and a token is refused without an exception.
 */
public final class PkiTextTarget implements FuzzTarget {

  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBkTCCATegAwIBAgIUYGZUPbGVxZxr75B8bYzAciJt55gwCgYIKoZIzj0EAwIw
      DDEKMAgGA1UEAwwBYTAeFw0yNjExMjYwNDE1MDRaFw0zNjExMjMwNDE1MDRaMAwx
      CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ6owvUf0hQj40t
      CUd4GZcDZx22L6EmM5DmJPlgoqKJIQtVP/1n/puCvCCah8eYxEeBLUCbDyFxVcH9
      pBTstfT+o3cwdTAdBgNVHQ4EFgQUUg/gsYl+CpKmNEG1dSZEICJxBkkwHwYDVR0j
      BBgwFoAUUg/gsYl+CpKmNEG1dSZEICJxBkkwDwYDVR0TAQH/BAUwAwEB/zAiBgNV
      HREEGzAZhgxzcGlmZmU6Ly9hL2KCA2EuYocEAQIDBDAKBggqhkjOPQQDAgNIADBF
      AiBta75gewO8ajd/tLcOtE+vtkXXqIdimGOue/Xk7pexcQIhAOtBJqy4wfw5aW7F
      FBVNHI3F03vpgozLAhxO1SiztrOn
      -----END CERTIFICATE-----
      """;

  private static final String SIGNING_REQUEST =
      """
      -----BEGIN CERTIFICATE REQUEST-----
      MIHHMG4CAQAwDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
      BDqjC9R/SFCPjS0JR3gZlwNnHbYvoSYzkOYk+WCiookhC1U//Wf+m4K8IJqHx5jE
      R4EtQJsPIXFVwf2kFOy19P6gADAKBggqhkjOPQQDAgNJADBGAiEAkkYawXii+PJd
      mClk6seYo5NacMaL+AV9PExnWaQlAXwCIQDAs2lBoXP94xGjnN0gJiVD8Zr6j896
      A36FIsbq1ryxiw==
      -----END CERTIFICATE REQUEST-----
      """;

  private static final String REVOCATION_LIST =
      """
      -----BEGIN X509 CRL-----
      MIGjMEsCAQEwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYRcNMjYxMTI2MDQxNTA0
      WhcNMzYxMTIzMDQxNTA0WqAOMAwwCgYDVR0UBAMCAQEwCgYIKoZIzj0EAwIDSAAw
      RQIgGD0yPrMuXBzabi9ZmFfJ6d0hwXTStGCl5jIAb8IXVdQCIQC3bmLmCkByuVp/
      rmZNhTlJQgPlHGaMnba7T17bGAcZbQ==
      -----END X509 CRL-----
      """;

  private static final String PUBLIC_KEY =
      """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEOqML1H9IUI+NLQlHeBmXA2cdti+h
      JjOQ5iT5YKKiiSELVT/9Z/6bgrwgmofHmMRHgS1Amw8hcVXB/aQU7LX0/g==
      -----END PUBLIC KEY-----
      """;

  @Override
  public String name() {
    return "pki-text";
  }

  @Override
  public List<byte[]> seeds() {
    String record = "number: 7%nname: app%nfile: /a/app.pem%nkey: in the file%n".formatted();
    return List.of(
        Bytes.behind(0, Bytes.of(CERTIFICATE)),
        Bytes.behind(1, Bytes.of(record + CERTIFICATE)),
        Bytes.behind(2, Bytes.of(SIGNING_REQUEST)),
        Bytes.behind(3, Bytes.of(REVOCATION_LIST)),
        Bytes.behind(4, Bytes.of(PUBLIC_KEY)),
        Bytes.behind(5, Bytes.of("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0." + "A".repeat(86))),
        Bytes.behind(6, Bytes.of("{\"alg\":\"ES256\",\"exp\":17,\"aud\":[\"a\"],\"x\":{}}")),
        Bytes.behind(7, Bytes.of("spiffe://prod/client/app")));
  }

  @Override
  public void run(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      decode(input[0] & 7, bytes, text);
    } catch (PkiException refused) {
      if (String.valueOf(refused.getMessage()).isEmpty()) {
        throw new AssertionError("no message", refused);
      }
    }
  }

  private static void decode(int kind, byte[] bytes, String text) {
    switch (kind) {
      case 0 ->
          PkiDirectory.certificates(Pem.decode(text, "file"), Path.of("file"))
              .forEach(CertificateInfo::of);
      case 1 -> {
        var unused = IssuedRecord.decode(text, "file").info();
      }
      case 2 -> {
        var unused = SigningRequests.parse(text, "file");
      }
      case 3 ->
          Pem.decode(text, "file")
              .forEach(block -> RevocationList.parse(block.content(), "file").getThisUpdate());
      case 4 -> Pem.decode(text, "file").forEach(block -> Keys.publicKey(block.content(), "file"));
      case 5 -> CompactToken.decode(text).map(parts -> CompactToken.members(parts.claims()));
      case 6 -> CompactToken.members(bytes);
      default -> checkId(text);
    }
  }

  private static void checkId(String text) {
    SpiffeId id;
    try {
      id = SpiffeId.parse(text);
    } catch (IllegalArgumentException refused) {
      return;
    }
    if (!id.toString().equals(text)) {
      throw new AssertionError(id + " is not as it was written");
    }
  }

  /** Parsers of ASN.1 and their messages. */
  @Override
  public long allowedBytes() {
    return 8 << 20;
  }

  @Override
  public long allowedBytesForEach() {
    return 2_048;
  }
}
