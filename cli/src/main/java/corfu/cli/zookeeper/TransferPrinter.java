package corfu.cli.zookeeper;

import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.zookeeper.transfer.TransferSummary;

/** Prints the result of an import or an export. */
final class TransferPrinter {

  private TransferPrinter() {}

  /**
   * Prints a result.
   *
   * @param done what happened to the namespace, such as "imported from /data"
   */
  static void print(
      Terminal terminal,
      OutputOptions style,
      String namespace,
      String done,
      TransferSummary summary) {
    style.print(
        terminal,
        "namespace %s is %s: %d nodes, %d sessions, zxid 0x%x"
            .formatted(namespace, done, summary.nodes(), summary.sessions(), summary.zxid()),
        json -> {
          json.writeStringField("namespace", namespace);
          json.writeNumberField("nodes", summary.nodes());
          json.writeNumberField("sessions", summary.sessions());
          json.writeNumberField("zxid", summary.zxid());
        });
  }
}
