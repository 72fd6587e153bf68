package corfu.pki.tokens;

import corfu.pki.PkiException;
import corfu.pki.internal.file.FileStamp;
import corfu.world.World;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Checks tokens with the newest keys of a file. It looks for a change at most once a second, when a
 * token is checked. If a changed file is wrong, the earlier keys stay valid. Thread-safe.
 */
public final class FollowingVerifier {

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path keysFile;
  private final String trustDomain;
  private final String audience;
  private final World world;
  private final Consumer<String> onChange;

  private final ReentrantLock lock = new ReentrantLock();
  private TokenVerifier verifier;
  private FileStamp stamp;
  private long lookedAt;

  private FollowingVerifier(
      Path keysFile, String trustDomain, String audience, World world, Consumer<String> onChange) {
    this.keysFile = keysFile;
    this.trustDomain = trustDomain;
    this.audience = audience;
    this.world = world;
    this.onChange = onChange;
    this.stamp = FileStamp.of(keysFile);
    this.verifier = TokenVerifier.of(keysFile, trustDomain, audience, world);
    this.lookedAt = world.nanoTime();
  }

  /**
   * Reads the keys of a file.
   *
   * @param keysFile the public keys in PEM format, one or two: {@code token-keys.pem}
   * @param trustDomain the trust domain of the authority
   * @param audience the name of this cluster or service, as tokens have it
   * @param onChange receives a message for people after each change of the file
   * @throws PkiException if the file cannot be used
   */
  public static FollowingVerifier of(
      Path keysFile, String trustDomain, String audience, World world, Consumer<String> onChange) {
    return new FollowingVerifier(keysFile, trustDomain, audience, world, onChange);
  }

  /** Checks a token, as it follows the word Bearer of an HTTP request. */
  public TokenCheck verify(String token) {
    return newest().verify(token);
  }

  private TokenVerifier newest() {
    lock.lock();
    try {
      if (world.nanoTime() - lookedAt >= LOOK_NANOS) {
        lookedAt = world.nanoTime();
        look();
      }
      return verifier;
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    FileStamp seen = FileStamp.of(keysFile);
    if (seen.equals(stamp)) {
      return;
    }
    stamp = seen;
    try {
      verifier = TokenVerifier.of(keysFile, trustDomain, audience, world);
      onChange.accept("loaded the changed token keys in " + keysFile);
    } catch (PkiException wrong) {
      onChange.accept(
          "the changed token keys are not used, the earlier ones are: " + wrong.getMessage());
    }
  }
}
