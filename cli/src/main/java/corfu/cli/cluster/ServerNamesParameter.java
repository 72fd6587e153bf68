package corfu.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The parameter with names of servers. */
final class ServerNamesParameter {

  @Parameters(
      paramLabel = "NAME",
      arity = "1..*",
      description = "Names of servers of the cluster: n1, n2, ...")
  private List<String> names = new ArrayList<>();

  /** Returns each name once. */
  List<String> values() {
    return names.stream().distinct().toList();
  }
}
