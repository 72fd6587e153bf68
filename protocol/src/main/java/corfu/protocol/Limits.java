package corfu.protocol;

/**
 * How large things may become. Client and servers of a cluster use the same.
 *
 * @param maxPayloadBytes what one append may carry
 * @param maxFrameBytes what one message may measure on the wire; leaves room for an entry of the
 *     largest size
 * @param maxAddressesPerRequest how many addresses one request may name
 */
public record Limits(int maxPayloadBytes, int maxFrameBytes, int maxAddressesPerRequest) {

  private static final int FRAME_SLACK_BYTES = 1 << 20;

  /** Payloads up to 16 MiB. */
  public static final Limits DEFAULT = ofPayload(16 << 20);

  public Limits {
    if (maxPayloadBytes < 1
        || maxFrameBytes < maxPayloadBytes + Entry.HEADER_BYTES + 64
        || maxAddressesPerRequest < 1) {
      throw new IllegalArgumentException(
          "limits that exclude each other: "
              + maxPayloadBytes
              + " bytes of payload in frames of "
              + maxFrameBytes
              + " bytes, "
              + maxAddressesPerRequest
              + " addresses a request");
    }
  }

  /** Limits for payloads of up to this many bytes, at most 1 GiB. */
  public static Limits ofPayload(int maxPayloadBytes) {
    if (maxPayloadBytes < 1 || maxPayloadBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "the largest payload is from 1 byte to 1 GiB, but " + maxPayloadBytes + " was asked for");
    }
    return new Limits(maxPayloadBytes, maxPayloadBytes + FRAME_SLACK_BYTES, 1 << 16);
  }
}
