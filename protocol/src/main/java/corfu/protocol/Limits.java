package corfu.protocol;

/**
 * Upper bounds of sizes. All clients and servers of a cluster use the same limits.
 *
 * @param maxPayloadBytes the largest payload of one append, in bytes
 * @param maxFrameBytes the largest message on the wire, in bytes; has room for an entry of the
 *     largest size
 * @param maxAddressesPerRequest the largest number of addresses in one request
 * @param maxStreamsPerEntry the largest number of streams of one entry, from 1 to {@link
 *     Entry#MOST_STREAMS}
 */
public record Limits(
    int maxPayloadBytes, int maxFrameBytes, int maxAddressesPerRequest, int maxStreamsPerEntry) {

  /** The default of {@link #maxStreamsPerEntry}. */
  public static final int USUAL_STREAMS = 64;

  private static final int FRAME_SLACK_BYTES = 1 << 20;

  /** Allowance for the bytes of a reply for each name: more than a stream position needs. */
  private static final int BYTES_PER_NAME = 64;

  private static final int NAMES_PER_ADDRESS = 4;

  /** The default limits: payloads up to 16 MiB. */
  public static final Limits DEFAULT = ofPayload(16 << 20);

  public Limits {
    if (maxPayloadBytes < 1
        || maxStreamsPerEntry < 1
        || maxStreamsPerEntry > Entry.MOST_STREAMS
        || maxFrameBytes - 64 < Entry.lengthOf(maxPayloadBytes, maxStreamsPerEntry)
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

  /**
   * Creates limits with the default number of streams per entry, or as many as fit into a small
   * frame.
   */
  public Limits(int maxPayloadBytes, int maxFrameBytes, int maxAddressesPerRequest) {
    this(
        maxPayloadBytes,
        maxFrameBytes,
        maxAddressesPerRequest,
        Math.clamp(
            (maxFrameBytes - 64L - Entry.lengthOf(maxPayloadBytes, 0)) / StreamHeader.BYTES,
            1,
            USUAL_STREAMS));
  }

  /** Returns limits for payloads of up to this many bytes, from 1 byte to 1 GiB. */
  public static Limits ofPayload(int maxPayloadBytes) {
    if (maxPayloadBytes < 1 || maxPayloadBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "the largest payload is from 1 byte to 1 GiB, but " + maxPayloadBytes + " was asked for");
    }
    return new Limits(maxPayloadBytes, maxPayloadBytes + FRAME_SLACK_BYTES, 1 << 16);
  }

  /** Returns the same limits with this many streams per entry at most. */
  public Limits withMaxStreamsPerEntry(int streams) {
    return new Limits(maxPayloadBytes, maxFrameBytes, maxAddressesPerRequest, streams);
  }

  /**
   * Returns the largest number of names in one request to a sequencer: wishes, streams and keys
   * together, each counted as often as it is named. The bound keeps the request's processing short
   * and lets the reply fit into a frame.
   */
  public int maxNamesPerRequest() {
    long byAddresses = (long) NAMES_PER_ADDRESS * maxAddressesPerRequest;
    return (int) Math.min(byAddresses, maxFrameBytes / BYTES_PER_NAME);
  }
}
