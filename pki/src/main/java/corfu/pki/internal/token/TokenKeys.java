package corfu.pki.internal.token;

import corfu.pki.PkiException;
import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.file.SecureFiles;
import corfu.pki.internal.x509.Keys;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.List;

/** The keys that sign tokens: the newest signs, and the one before it is still valid. */
public final class TokenKeys {

  /** The largest number of keys that are valid at the same time. */
  public static final int MAX_KEYS = 2;

  private TokenKeys() {}

  /** A private key, and the short id by which tokens name it. */
  public record SigningKey(String id, PrivateKey key) {}

  /** Creates the first key, unless there is one. The caller holds the lock. */
  public static void create(PkiDirectory directory) {
    if (!SecureFiles.exists(directory.tokenKeysFile())) {
      add(directory, List.of());
    }
  }

  /** Adds a key, and forgets all but the one before it. Returns the new key's id. */
  public static String rotate(PkiDirectory directory) {
    return directory.exclusively(
        () -> {
          List<ECPublicKey> before = publicKeys(directory.tokenKeysFile());
          String id = add(directory, before.subList(0, 1));
          before.stream()
              .map(Keys::shortId)
              .forEach(old -> SecureFiles.delete(directory.tokenKeyFile(old)));
          return id;
        });
  }

  private static String add(PkiDirectory directory, List<ECPublicKey> kept) {
    KeyPair pair = Keys.generate();
    String id = Keys.shortId(pair.getPublic());
    SecureFiles.replaceSecret(directory.tokenKeyFile(id), Keys.encode(pair.getPrivate()));
    StringBuilder text =
        new StringBuilder(Pem.encode(Pem.PUBLIC_KEY, pair.getPublic().getEncoded()));
    kept.forEach(key -> text.append(Pem.encode(Pem.PUBLIC_KEY, key.getEncoded())));
    SecureFiles.replacePublic(directory.tokenKeysFile(), text.toString());
    return id;
  }

  /** Returns the key that signs. */
  public static SigningKey signingKey(PkiDirectory directory) {
    SecureFiles.checkSecret(directory.root());
    ECPublicKey newest = publicKeys(directory.tokenKeysFile()).getFirst();
    String id = Keys.shortId(newest);
    Path file = directory.tokenKeyFile(id);
    PrivateKey key =
        Keys.privateKey(Pem.decode(SecureFiles.readSecret(file), file.toString()), file.toString());
    if (!Keys.match(key, newest)) {
      throw new PkiException(
          "the key in %s is not the one in %s; restore the files from a backup"
              .formatted(file, directory.tokenKeysFile()));
    }
    return new SigningKey(id, key);
  }

  /** Returns the public keys in a file, the newest first. */
  public static List<ECPublicKey> publicKeys(Path file) {
    List<ECPublicKey> keys =
        Pem.decode(SecureFiles.read(file), file.toString()).stream()
            .filter(block -> block.label().equals(Pem.PUBLIC_KEY))
            .map(block -> Keys.publicKey(block.content(), file.toString()))
            .toList();
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new PkiException(
          "%s has %d public keys, but must have one or two; copy it again from the authority"
              .formatted(file, keys.size()));
    }
    return keys;
  }
}
