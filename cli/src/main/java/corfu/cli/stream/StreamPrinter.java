package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.log.EntryPrinter;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamRead;

/**
 * Prints entries of streams. Scripts get a JSON object for each, with the data as {@link
 * EntryPrinter} writes it:
 *
 * <pre>
 *   {"stream":"orders","streamAddress":3,"address":17,"data":"hello"}
 *   {"stream":"orders","trimmedBefore":3}         earlier entries are trimmed
 * </pre>
 *
 * People get the data on standard output, and trims on standard error.
 */
final class StreamPrinter {

  private final Terminal terminal;
  private final CommandOutput out;
  private final boolean json;
  private final EntryPrinter.Form form;
  private final boolean isNamed;
  private final EntryPrinter data;

  /**
   * @param isNamed whether each line for people begins with the stream's name
   */
  StreamPrinter(
      Terminal terminal, CommandOutput out, boolean json, EntryPrinter.Form form, boolean isNamed) {
    this.terminal = terminal;
    this.out = out;
    this.json = json;
    this.form = form;
    this.isNamed = isNamed;
    this.data = new EntryPrinter(terminal, out, json, form);
  }

  void print(StreamName stream, StreamRead read) {
    switch (read) {
      case StreamRead.Entry entry -> print(stream, entry);
      case StreamRead.Trimmed(StreamAddress before) -> print(stream, before);
      case StreamRead.Absent nothing -> {}
    }
  }

  private void print(StreamName stream, StreamRead.Entry entry) {
    if (json) {
      out.json(
          members -> {
            members.writeStringField("stream", stream.text());
            members.writeNumberField("streamAddress", entry.streamAddress().value());
            members.writeNumberField("address", entry.address().value());
            EntryPrinter.writeData(entry.payload(), members);
          });
      return;
    }
    if (isNamed && form != EntryPrinter.Form.BYTES) {
      out.text(stream + "\t");
    }
    if (form == EntryPrinter.Form.WITH_ADDRESSES) {
      out.text(entry.streamAddress() + "\t" + entry.address() + "\t");
    }
    data.printData(entry.payload());
  }

  private void print(StreamName stream, StreamAddress trimmedBefore) {
    if (json) {
      out.json(
          members -> {
            members.writeStringField("stream", stream.text());
            members.writeNumberField("trimmedBefore", trimmedBefore.value());
          });
    } else {
      out.flush();
      terminal.note("corfu: stream %s has been trimmed before %s".formatted(stream, trimmedBefore));
    }
  }
}
