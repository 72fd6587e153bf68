package corfu.protocol.message;

/** What travels between a client and a server. */
public sealed interface Message permits Request, Reply {}
