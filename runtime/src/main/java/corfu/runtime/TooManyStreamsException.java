package corfu.runtime;

/** An append names more streams than one entry may be in. Nothing was sent. */
public final class TooManyStreamsException extends CorfuException {
  private static final long serialVersionUID = 1L;

  public TooManyStreamsException(int streams, int most) {
    super(
        "an append to "
            + streams
            + " streams was refused: this cluster allows up to "
            + most
            + " (max-streams); split it, or raise the limit on all"
            + " servers and clients");
  }
}
