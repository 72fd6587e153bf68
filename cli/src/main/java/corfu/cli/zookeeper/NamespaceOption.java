package corfu.cli.zookeeper;

import picocli.CommandLine.Option;

/** The option that names the namespace. */
final class NamespaceOption {

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "default",
      description =
          "Name of the namespace. Servers of the same one share all nodes and sessions (default:"
              + " ${DEFAULT-VALUE}).")
  private String name = "default";

  String value() {
    return name;
  }
}
