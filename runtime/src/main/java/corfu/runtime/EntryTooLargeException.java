package corfu.runtime;

/** An entry exceeds the cluster's limit; nothing was sent. */
public final class EntryTooLargeException extends CorfuException {
  private static final long serialVersionUID = 1L;

  public EntryTooLargeException(String what, int maxPayloadBytes) {
    super(
        "%s has more than %d bytes, which is what this cluster takes in an entry; to have it take"
                .formatted(what, maxPayloadBytes)
            + " more, raise max-entry in the configuration of servers and clients");
  }

  public EntryTooLargeException(int payloadBytes, int maxPayloadBytes) {
    super(
        "an entry of "
            + payloadBytes
            + " bytes was refused: this cluster takes up to "
            + maxPayloadBytes
            + " bytes an entry; split it, or raise max-entry in the configuration of servers and"
            + " clients");
  }
}
