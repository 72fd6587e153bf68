package corfu.cli.log;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Output;
import corfu.cli.output.Terminal;
import corfu.runtime.LogEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Prints entries. For scripts, an object each:
 *
 * <pre>
 *   {"address":0,"data":"hello"}    {"address":1,"base64":"/w=="}    bytes that are not UTF-8
 *   {"address":2,"hole":true}       {"address":3,"trimmed":true}     {"address":4,"unwritten":true}
 * </pre>
 *
 * For people, the data of those that have some; the others are counted.
 */
public final class EntryPrinter {

  /** How data looks to people. */
  public enum Form {
    /** As it is, a line each. */
    LINES,
    /** The same behind its address; other entries show, too. */
    WITH_ADDRESSES,
    /** As it is, byte by byte, with nothing between. */
    BYTES
  }

  private final Output out;
  private final boolean json;
  private final Form form;
  private long notShown;

  EntryPrinter(Output out, boolean json, Form form) {
    this.out = out;
    this.json = json;
    this.form = form;
  }

  void print(LogEntry entry) {
    if (json) {
      out.json(members -> write(entry, members));
      return;
    }
    if (form == Form.WITH_ADDRESSES) {
      out.text(entry.address() + "\t");
    }
    switch (entry) {
      case LogEntry.Data data -> {
        out.bytes(data.payload());
        if (form != Form.BYTES) {
          out.line("");
        }
      }
      case LogEntry.Hole hole -> printState("(hole)");
      case LogEntry.Trimmed trimmed -> printState("(trimmed)");
      case LogEntry.Unwritten unwritten -> printState("(unwritten)");
    }
  }

  private void printState(String state) {
    if (form == Form.WITH_ADDRESSES) {
      out.line(state);
    } else {
      notShown++;
    }
  }

  private static void write(LogEntry entry, JsonGenerator json) throws IOException {
    json.writeNumberField("address", entry.address().value());
    switch (entry) {
      case LogEntry.Data data -> writeData(data.payload(), json);
      case LogEntry.Hole hole -> json.writeBooleanField("hole", true);
      case LogEntry.Trimmed trimmed -> json.writeBooleanField("trimmed", true);
      case LogEntry.Unwritten unwritten -> json.writeBooleanField("unwritten", true);
    }
  }

  /** What was appended: as text where it is UTF-8, else in base64. */
  public static void writeData(ByteBuffer payload, JsonGenerator json) throws IOException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(payload.duplicate()).toString();
    } catch (CharacterCodingException e) {
      byte[] bytes = new byte[payload.remaining()];
      payload.get(payload.position(), bytes);
      json.writeBinaryField("base64", bytes);
      return;
    }
    json.writeStringField("data", text);
  }

  /** How many entries had nothing that a person could be shown. */
  long notShown() {
    return notShown;
  }

  /** The status of a command about one entry; says on standard error why there is no data. */
  int explain(LogEntry entry, Terminal terminal) {
    out.flush();
    return switch (entry) {
      case LogEntry.Data data -> ExitCode.OK;
      case LogEntry.Hole hole -> {
        terminal.note("corfu: address " + hole.address() + " is a hole: its writer never came");
        yield ExitCode.OK;
      }
      case LogEntry.Trimmed trimmed -> {
        terminal.note("corfu: address " + trimmed.address() + " has been trimmed");
        yield ExitCode.TRIMMED;
      }
      case LogEntry.Unwritten unwritten -> {
        terminal.note(
            "corfu: address %s is not written yet; corfu tail says where the log ends"
                .formatted(unwritten.address()));
        yield ExitCode.UNWRITTEN;
      }
    };
  }
}
