package corfu.transport.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the file of a private key. Its messages never have bytes of the key. */
final class KeyFile {

  private static final List<String> ALGORITHMS = List.of("EC", "RSA");

  private static final String PURPOSE = "the private key";

  private KeyFile() {}

  /**
   * Returns the key of a file.
   *
   * @throws TlsException if others may read the file, or if it has no key that can be used
   */
  static PrivateKey read(Path file) {
    String text = PemFile.text(file, PURPOSE);
    checkPermissions(file);
    for (PemFile.Section section : PemFile.sections(file, text)) {
      switch (section.label()) {
        case "PRIVATE KEY" -> {
          return decoded(file, section.bytes());
        }
        case "EC PRIVATE KEY", "RSA PRIVATE KEY" ->
            throw new TlsException(
                ("%s has its key in another format than PKCS #8: run"
                        + " `openssl pkcs8 -topk8 -nocrypt -in %s -out NEW`, and name NEW")
                    .formatted(file, file));
        case "ENCRYPTED PRIVATE KEY" ->
            throw new TlsException(
                ("%s has a key with a password, which a server cannot ask for: run"
                        + " `openssl pkcs8 -in %s -out NEW`, and name NEW")
                    .formatted(file, file));
        default -> {} // certificates beside the key do no harm
      }
    }
    throw new TlsException(
        file + ", the file of the private key, has no section BEGIN PRIVATE KEY: write it as PEM");
  }

  private static void checkPermissions(Path file) {
    Set<PosixFilePermission> permissions;
    try {
      var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view == null) {
        return; // a file system without permissions of this kind
      }
      permissions = view.readAttributes().permissions();
    } catch (IOException e) {
      throw new TlsException("the permissions of " + file + " cannot be read: " + e, e);
    }
    int mode = 0;
    for (PosixFilePermission permission : permissions) {
      mode |= bit(permission);
    }
    if ((mode & 077) != 0) {
      throw new TlsException(
          ("%s, the file of the private key, has mode %04o, so that other users may use it;"
                  + " expected 0600 or 0400: run `chmod 600 %s`, and replace the key if others"
                  + " may have read it")
              .formatted(file, mode, file));
    }
  }

  private static int bit(PosixFilePermission permission) {
    return switch (permission) {
      case OWNER_READ -> 0400;
      case OWNER_WRITE -> 0200;
      case OWNER_EXECUTE -> 0100;
      case GROUP_READ -> 0040;
      case GROUP_WRITE -> 0020;
      case GROUP_EXECUTE -> 0010;
      case OTHERS_READ -> 0004;
      case OTHERS_WRITE -> 0002;
      case OTHERS_EXECUTE -> 0001;
    };
  }

  private static PrivateKey decoded(Path file, byte[] bytes) {
    var encoded = new PKCS8EncodedKeySpec(bytes);
    return ALGORITHMS.stream()
        .map(algorithm -> decoded(algorithm, encoded))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(
            () ->
                new TlsException(
                    file
                        + " has a key that is not one of "
                        + ALGORITHMS
                        + ": create a key of one of these"));
  }

  /** Returns the key, or empty if it is not one of this algorithm. */
  private static Optional<PrivateKey> decoded(String algorithm, PKCS8EncodedKeySpec encoded) {
    try {
      return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
    } catch (InvalidKeySpecException another) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new TlsException("this platform cannot use keys of " + algorithm, e);
    }
  }

  /** Returns whether the private key belongs to the public key. */
  static boolean matches(PrivateKey key, PublicKey certified) {
    byte[] probe = "corfu".getBytes(StandardCharsets.US_ASCII);
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(probe);
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certified);
      verifying.update(probe);
      return verifying.verify(signing.sign());
    } catch (GeneralSecurityException e) {
      return false; // keys of two algorithms
    }
  }
}
