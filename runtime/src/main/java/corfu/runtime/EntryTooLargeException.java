package corfu.runtime;

/** An entry exceeds the cluster's limit. Nothing was sent. */
public final class EntryTooLargeException extends CorfuException {
  private static final long serialVersionUID = 1L;

  public EntryTooLargeException(String what, int maxPayloadBytes) {
    super(
        "%s has more than %d bytes, the most that this cluster accepts in an entry; to allow more,"
                .formatted(what, maxPayloadBytes)
            + " raise max-entry in the configuration of servers and clients");
  }

  public EntryTooLargeException(int payloadBytes, int maxPayloadBytes) {
    super(
        "an entry of "
            + payloadBytes
            + " bytes was refused: this cluster accepts up to "
            + maxPayloadBytes
            + " bytes per entry; split it, or raise max-entry in the configuration of servers and"
            + " clients");
  }
}
