package corfu.store.http.access;

import corfu.pki.PkiException;
import corfu.pki.tokens.TokenCheck;
import corfu.pki.tokens.TokenVerifier;
import corfu.protocol.Identity;
import corfu.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the tokens of requests (RFC 6750). It looks for a changed file of keys at most once a
 * second. If a changed file is wrong, the earlier keys stay valid. Thread-safe.
 */
final class BearerTokens {

  private static final Logger LOG = LoggerFactory.getLogger(BearerTokens.class);
  private static final String SCHEME = "bearer ";
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final TokenOptions options;

  private final ReentrantLock lock = new ReentrantLock();
  private TokenVerifier verifier;
  private String stamp;
  private long lookedAt;

  /**
   * @throws PkiException if the keys cannot be used
   */
  BearerTokens(World world, TokenOptions options) {
    this.world = world;
    this.options = options;
    this.stamp = stampOf(options);
    this.verifier = verifierOf(options, world);
    this.lookedAt = world.nanoTime();
  }

  private static TokenVerifier verifierOf(TokenOptions options, World world) {
    return TokenVerifier.of(options.keys(), options.trustDomain(), options.audience(), world);
  }

  private static String stampOf(TokenOptions options) {
    try {
      var found = Files.readAttributes(options.keys(), BasicFileAttributes.class);
      return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
    } catch (IOException missing) {
      return "missing";
    }
  }

  /**
   * Returns the sender of a request.
   *
   * @param authorization all headers of this name
   */
  Caller caller(List<String> authorization) {
    if (authorization.isEmpty()) {
      return new Caller.Known(Identity.ANONYMOUS);
    }
    String header = authorization.getFirst();
    if (authorization.size() > 1) {
      return new Caller.Unproven("the request has more than one Authorization header");
    }
    if (header.length() > TokenVerifier.MAX_CHARACTERS + SCHEME.length()
        || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return new Caller.Unproven("the Authorization header is not: Bearer TOKEN");
    }
    return switch (verifier().verify(header.substring(SCHEME.length()))) {
      case TokenCheck.Valid valid ->
          new Caller.Known(new Identity(valid.claims().subject().toString()));
      case TokenCheck.Refused(TokenCheck.Reason reason) -> new Caller.Unproven(reason.toString());
    };
  }

  private TokenVerifier verifier() {
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
    String seen = stampOf(options);
    if (seen.equals(stamp)) {
      return;
    }
    stamp = seen;
    try {
      verifier = verifierOf(options, world);
      LOG.info("loaded the changed token keys in {}", options.keys());
    } catch (PkiException wrong) {
      LOG.warn("the changed token keys are not used, the earlier ones are: {}", wrong.getMessage());
    }
  }
}
