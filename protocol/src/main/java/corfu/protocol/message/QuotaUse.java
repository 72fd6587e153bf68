package corfu.protocol.message;

import corfu.protocol.Identity;
import java.util.List;

/**
 * The resources that an identity uses at one server. Stored entries count at the head of their
 * chain only.
 *
 * @param identity the identity
 * @param appendsPerSecond the tokens that this server issued in its last full second
 * @param bytesPerSecond the bytes that were appended at this server, as the head of a chain, and
 *     read from it in its last full second
 * @param storedBytes the size of the stored entries of the identity's streams, in bytes
 * @param streams the number of the identity's streams with stored entries
 * @param sample the lowest {@linkplain corfu.protocol.StreamId#hash hashes} of these streams as
 *     unsigned numbers, ascending, up to {@link #MOST_SAMPLED}: streams have entries on several
 *     chains, and must not count several times
 * @param subscriptions the number of followed streams
 * @param connections the number of connections
 */
public record QuotaUse(
    Identity identity,
    long appendsPerSecond,
    long bytesPerSecond,
    long storedBytes,
    long streams,
    List<Long> sample,
    int subscriptions,
    int connections) {

  /** The largest number of hashes in a sample. */
  public static final int MOST_SAMPLED = 64;

  public QuotaUse {
    sample = List.copyOf(sample);
    if (sample.size() > MOST_SAMPLED) {
      throw new IllegalArgumentException(
          "a sample of " + sample.size() + " streams, where " + MOST_SAMPLED + " are the limit");
    }
  }
}
