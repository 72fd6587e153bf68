package corfu.transport.tls;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The certificate of the other side of a connection, and files in PEM format. The first byte
 * selects the kind. A certificate proves an identity, or is refused by a {@link
 * PeerCertificateException}.
 */
public final class PeerCertificateTarget implements FuzzTarget {

  /** A certificate of the common name and the SPIFFE id {@code a}, with a host and an address. */
  private static final String CERTIFICATE =
      """
      MIIBkTCCATegAwIBAgIUYGZUPbGVxZxr75B8bYzAciJt55gwCgYIKoZIzj0EAwIw
      DDEKMAgGA1UEAwwBYTAeFw0yNjExMjYwNDE1MDRaFw0zNjExMjMwNDE1MDRaMAwx
      CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ6owvUf0hQj40t
      CUd4GZcDZx22L6EmM5DmJPlgoqKJIQtVP/1n/puCvCCah8eYxEeBLUCbDyFxVcH9
      pBTstfT+o3cwdTAdBgNVHQ4EFgQUUg/gsYl+CpKmNEG1dSZEICJxBkkwHwYDVR0j
      BBgwFoAUUg/gsYl+CpKmNEG1dSZEICJxBkkwDwYDVR0TAQH/BAUwAwEB/zAiBgNV
      HREEGzAZhgxzcGlmZmU6Ly9hL2KCA2EuYocEAQIDBDAKBggqhkjOPQQDAgNIADBF
      AiBta75gewO8ajd/tLcOtE+vtkXXqIdimGOue/Xk7pexcQIhAOtBJqy4wfw5aW7F
      FBVNHI3F03vpgozLAhxO1SiztrOn
      """;

  @Override
  public String name() {
    return "peer-certificate";
  }

  @Override
  public List<byte[]> seeds() {
    byte[] der = Base64.getMimeDecoder().decode(CERTIFICATE);
    String pem = "-----BEGIN CERTIFICATE-----\n" + CERTIFICATE + "-----END CERTIFICATE-----\n";
    return List.of(Bytes.behind(0, der), Bytes.behind(1, Bytes.of(pem)));
  }

  @Override
  public void run(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) == 0) {
      checkCertificate(bytes);
    } else {
      try {
        var unused = PemFile.sections(Path.of("file"), new String(bytes, StandardCharsets.UTF_8));
      } catch (TlsException refused) {
        check(!String.valueOf(refused.getMessage()).isEmpty(), "no message");
      }
    }
  }

  private static void checkCertificate(byte[] bytes) {
    X509Certificate certificate;
    try {
      certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(bytes));
    } catch (CertificateException refused) {
      return; // the engine refuses it, too
    }
    try {
      String name = CertificateNames.identity(certificate).name();
      check(!name.isEmpty() && !name.endsWith("*"), "the identity " + name);
      check(!name.equalsIgnoreCase("anonymous"), "the identity " + name);
      for (String host : CertificateNames.hosts(certificate)) {
        var unused = CertificateNames.isOf(host, certificate);
      }
    } catch (PeerCertificateException refused) {
      check(!String.valueOf(refused.getMessage()).isEmpty(), "no message");
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
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
