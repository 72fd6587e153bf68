package corfu.fuse.protocol;

/** A request's bytes contradict its layout. It never leaves the decoder. */
final class MalformedRequestException extends Exception {

  private static final long serialVersionUID = 1;

  MalformedRequestException(String message) {
    super(message, null, false, false);
  }
}
