package corfu.bytes;

import corfu.protocol.StreamId;

/** The array has an only writer, so a change of another client has no effect. */
public final class ArrayHasWriterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for a change that was not made. */
  public ArrayHasWriterException(StreamId stream, Owner owner) {
    super(
        "the byte array of stream %s has had an only writer since address %s, of writer epoch %d;"
                .formatted(stream, owner.since(), owner.epoch())
            + " nothing was changed: change it through an ArrayWriter, or wait until that one is"
            + " released");
  }
}
