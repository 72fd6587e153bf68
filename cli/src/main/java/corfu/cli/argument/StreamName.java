package corfu.cli.argument;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A stream as a person names it.
 *
 * @param text a name, or {@code id:UUID}
 * @param id the stream's id
 */
public record StreamName(String text, StreamId id) {

  private static final String BY_ID = "id:";

  /**
   * Parses a name or an id.
   *
   * @throws IllegalArgumentException if the text names no stream
   */
  static StreamName parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the name of a stream has at least one character");
    }
    return new StreamName(
        text,
        text.startsWith(BY_ID) ? parseId(text.substring(BY_ID.length())) : StreamId.named(text));
  }

  /** Parses a stream's id, as {@code corfu stream list} prints it. */
  static StreamId parseId(String text) {
    StreamId id;
    try {
      id = StreamId.parse(text);
    } catch (IllegalArgumentException e) {
      throw notAnId(text);
    }
    if (!id.toString().equals(text.toLowerCase(Locale.ROOT))) {
      throw notAnId(text); // UUID.fromString also accepts shorter texts
    }
    if (id.equals(StreamId.NONE)) {
      throw new IllegalArgumentException("stream " + id + " is reserved: no application's");
    }
    return id;
  }

  private static IllegalArgumentException notAnId(String text) {
    return new IllegalArgumentException(
        "the id of a stream is a UUID like " + StreamId.named("a") + ", but not '" + text + "'");
  }

  /**
   * Tells a client the name, unless the person gave an id. Servers ask the client for it where a
   * permission is for names that begin alike.
   */
  public void rememberIn(Corfu corfu) {
    if (!text.startsWith(BY_ID)) {
      var unused = corfu.streamAccess().named(text);
    }
  }

  /** Returns the ids of streams, which must all be different. */
  public static List<StreamId> idsOf(List<StreamName> streams) {
    Set<StreamId> ids = new HashSet<>();
    for (StreamName stream : streams) {
      if (!ids.add(stream.id())) {
        throw new CommandException(
            ExitCode.USAGE, "stream " + stream + " is named twice; name it once");
      }
    }
    return streams.stream().map(StreamName::id).toList();
  }

  @Override
  public String toString() {
    return text;
  }
}
