package corfu.protocol.message;

/** A message between a client and a server. */
public sealed interface Message permits Request, Reply {}
