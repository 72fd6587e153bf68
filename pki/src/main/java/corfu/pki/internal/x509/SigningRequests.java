package corfu.pki.internal.x509;

import corfu.pki.PkiException;
import corfu.pki.SigningRequest;
import corfu.pki.internal.file.Pem;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.List;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Reads requests in PKCS #10, and checks that their authors hold the private keys. */
public final class SigningRequests {

  private static final String OLD_LABEL = "NEW CERTIFICATE REQUEST";

  private SigningRequests() {}

  /**
   * Returns the request in a text.
   *
   * @param source the name of the text, for messages
   */
  public static SigningRequest parse(String text, String source) {
    List<Pem.Block> blocks =
        Pem.decode(text, source).stream()
            .filter(
                block ->
                    block.label().equals(Pem.SIGNING_REQUEST) || block.label().equals(OLD_LABEL))
            .toList();
    if (blocks.size() != 1) {
      throw new PkiException(
          "%s has %d signing requests, but must have one; make it with: openssl req -new"
              .formatted(source, blocks.size()));
    }
    PublicKey key = provenKey(blocks.getFirst().content(), source);
    if (!Keys.isAcceptable(key)) {
      throw new PkiException(
          "the key of the signing request in %s is of the kind %s; make one on an elliptic curve"
                  .formatted(source, key.getAlgorithm())
              + " (P-256 or larger), or for RSA with 2,048 to 8,192 bits");
    }
    return new SigningRequest(key);
  }

  private static PublicKey provenKey(byte[] bytes, String source) {
    try {
      JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(bytes);
      PublicKey key = request.getPublicKey();
      if (request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        return key;
      }
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        | RuntimeException damaged) {
      throw new PkiException(
          "the signing request in %s is damaged; make it again".formatted(source), damaged);
    }
    throw new PkiException(
        "the signing request in %s is not signed by its own key; make it again".formatted(source));
  }
}
