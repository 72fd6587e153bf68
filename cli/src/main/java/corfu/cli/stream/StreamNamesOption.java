package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.connection.ConnectionOptions;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The streams that a command is about. */
final class StreamNamesOption {

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      required = true,
      description = "Name of a stream, or id:UUID. Give --stream once for each stream.")
  private List<StreamName> names = new ArrayList<>();

  /** Returns the streams in the order of the command line. */
  List<StreamName> names() {
    return List.copyOf(names);
  }

  /**
   * Returns the ids of the streams.
   *
   * @throws corfu.cli.command.CommandException if a stream is named twice
   */
  List<StreamId> ids() {
    return StreamName.idsOf(names);
  }

  /** Connects, and tells the client the names; the caller closes. */
  Corfu connect(ConnectionOptions connection) {
    Corfu corfu = connection.connect();
    names.forEach(name -> name.rememberIn(corfu));
    return corfu;
  }

  boolean areSeveral() {
    return names.size() > 1;
  }
}
