package corfu.pki.internal.x509;

import corfu.pki.PkiException;
import corfu.pki.internal.file.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;

/** Elliptic curve keys on P-256, which all engines of TLS have. */
public final class Keys {

  private static final String EC = "EC";
  private static final int CURVE_BITS = 256;
  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_RSA_BITS = 8192;
  private static final int SHORT_ID_DIGITS = 16;

  private Keys() {}

  /** Returns a new pair of keys. */
  public static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(EC);
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns a private key in PEM format (PKCS #8). */
  public static String encode(PrivateKey key) {
    return Pem.encode(Pem.PRIVATE_KEY, key.getEncoded());
  }

  /**
   * Returns the only private key among the blocks of a file.
   *
   * @param source the file's name, for messages
   */
  public static PrivateKey privateKey(List<Pem.Block> blocks, String source) {
    List<Pem.Block> keys =
        blocks.stream().filter(block -> block.label().equals(Pem.PRIVATE_KEY)).toList();
    if (keys.size() != 1) {
      throw new PkiException(
          "%s has %d private keys, but must have one; restore it from a backup"
              .formatted(source, keys.size()));
    }
    try {
      return KeyFactory.getInstance(EC)
          .generatePrivate(new PKCS8EncodedKeySpec(keys.getFirst().content()));
    } catch (GeneralSecurityException damaged) {
      throw new PkiException(
          "the private key in " + source + " is damaged; restore the file from a backup");
    }
  }

  /** Returns the public key on P-256 with these bytes. */
  public static ECPublicKey publicKey(byte[] bytes, String source) {
    try {
      PublicKey key = KeyFactory.getInstance(EC).generatePublic(new X509EncodedKeySpec(bytes));
      if (key instanceof ECPublicKey ec
          && ec.getParams().getCurve().getField().getFieldSize() == CURVE_BITS) {
        return ec;
      }
    } catch (GeneralSecurityException damaged) {
      throw new PkiException("a public key in " + source + " is damaged", damaged);
    }
    throw new PkiException("a public key in " + source + " is not on the curve P-256");
  }

  /** Returns whether the private key belongs to the public one. */
  public static boolean match(PrivateKey privateKey, PublicKey publicKey) {
    try {
      byte[] text = publicKey.getEncoded();
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(privateKey);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException otherKind) {
      return false;
    }
  }

  /** Returns whether a key of another party is strong enough, and known to all engines of TLS. */
  public static boolean isAcceptable(PublicKey key) {
    return switch (key) {
      case ECPublicKey ec -> ec.getParams().getCurve().getField().getFieldSize() >= CURVE_BITS;
      case RSAPublicKey rsa -> {
        int bits = rsa.getModulus().bitLength();
        yield bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS;
      }
      default -> false;
    };
  }

  /** Returns the first 16 hexadecimal digits of a key's SHA-256. */
  public static String shortId(PublicKey key) {
    return HexFormat.of().formatHex(sha256(key.getEncoded())).substring(0, SHORT_ID_DIGITS);
  }

  static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
