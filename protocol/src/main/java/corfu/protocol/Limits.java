package corfu.protocol;

/**
 * How large things may become. Client and servers of a cluster use the same.
 *
 * @param maxPayloadBytes what one append may carry
 * @param maxFrameBytes what one message may measure on the wire; leaves room for an entry of the
 *     largest size
 * @param maxAddressesPerRequest how many addresses one request may name
 * @param maxStreamsPerEntry in how many streams one entry may be, from 1 to {@link
 *     Entry#MOST_STREAMS}
 */
public record Limits(
    int maxPayloadBytes, int maxFrameBytes, int maxAddressesPerRequest, int maxStreamsPerEntry) {

  /** {@link #maxStreamsPerEntry} unless something else is said. */
  public static final int USUAL_STREAMS = 64;

  private static final int FRAME_SLACK_BYTES = 1 << 20;

  /** What a reply may say of each name: more than a place in a stream takes. */
  private static final int BYTES_PER_NAME = 64;

  private static final int NAMES_PER_ADDRESS = 4;

  /** Payloads up to 16 MiB. */
  public static final Limits DEFAULT = ofPayload(16 << 20);

  public Limits {
    if (maxPayloadBytes < 1
        || maxStreamsPerEntry < 1
        || maxStreamsPerEntry > Entry.MOST_STREAMS
        || maxFrameBytes - 64 - Entry.HEADER_BYTES - StreamHeader.BYTES * maxStreamsPerEntry
            < maxPayloadBytes
        || maxAddressesPerRequest < 1) {
      throw new IllegalArgumentException(
          "limits that exclude each other: "
              + maxPayloadBytes
              + " bytes of payload in frames of "
              + maxFrameBytes
              + " bytes, "
              + maxAddressesPerRequest
              + " addresses a request, "
              + maxStreamsPerEntry
              + " streams an entry");
    }
  }

  /** Limits for entries in as many streams as is usual, or as fit into a small frame. */
  public Limits(int maxPayloadBytes, int maxFrameBytes, int maxAddressesPerRequest) {
    this(
        maxPayloadBytes,
        maxFrameBytes,
        maxAddressesPerRequest,
        Math.clamp(
            (maxFrameBytes - maxPayloadBytes - 64L - Entry.HEADER_BYTES) / StreamHeader.BYTES,
            1,
            USUAL_STREAMS));
  }

  /** Limits for payloads of up to this many bytes, at most 1 GiB. */
  public static Limits ofPayload(int maxPayloadBytes) {
    if (maxPayloadBytes < 1 || maxPayloadBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "the largest payload is from 1 byte to 1 GiB, but " + maxPayloadBytes + " was asked for");
    }
    return new Limits(maxPayloadBytes, maxPayloadBytes + FRAME_SLACK_BYTES, 1 << 16);
  }

  /** The same for entries in up to this many streams. */
  public Limits withMaxStreamsPerEntry(int streams) {
    return new Limits(maxPayloadBytes, maxFrameBytes, maxAddressesPerRequest, streams);
  }

  /**
   * How much one request to a sequencer may name, so that it is answered soon, and the answer fits
   * into a frame: wishes, streams and keys together, each as often as it is named.
   */
  public int maxNamesPerRequest() {
    long byAddresses = (long) NAMES_PER_ADDRESS * maxAddressesPerRequest;
    return (int) Math.min(byAddresses, maxFrameBytes / BYTES_PER_NAME);
  }
}
