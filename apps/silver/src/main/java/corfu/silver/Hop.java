package corfu.silver;

import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A clone through which nodes are seen.
 *
 * @param key the clone's own id: it makes new ids out of those of the cloned nodes
 * @param version the log address below which the source's changes are part of the clone
 */
public record Hop(StreamId key, long version) {

  private static final int ID_BYTES = 16;

  public Hop {
    if (version < 0) {
      throw new IllegalArgumentException("a version is a log address, not " + version);
    }
  }

  /** Returns the id of a stream as it is seen through the clone. */
  public StreamId seen(StreamId source) {
    return derive(key, source);
  }

  static StreamId derive(StreamId key, StreamId of) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(
          ByteBuffer.allocate(2 * ID_BYTES)
              .putLong(key.high())
              .putLong(key.low())
              .putLong(of.high())
              .putLong(of.low())
              .flip());
      ByteBuffer hash = ByteBuffer.wrap(digest.digest());
      return new StreamId(hash.getLong(), hash.getLong());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
