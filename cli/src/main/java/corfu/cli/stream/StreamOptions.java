package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ConnectionOptions;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command about one stream. */
final class StreamOptions {

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      required = true,
      description = "Name of the stream, or id:UUID.")
  private Optional<StreamName> stream = Optional.empty();

  StreamName name() {
    return stream.orElseThrow();
  }

  /** Connects, and tells the client the name; the caller closes. */
  Corfu connect() {
    Corfu corfu = connection.connect();
    name().rememberIn(corfu);
    return corfu;
  }

  /** Connects as an administrator, who asks single servers; the caller closes. */
  AdminClient admin() {
    return connection.admin();
  }

  LogStream open(Corfu corfu) {
    return Streams.over(corfu).open(name().id());
  }
}
