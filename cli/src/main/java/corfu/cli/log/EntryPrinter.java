package corfu.cli.log;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.ExitCode;
import corfu.cli.output.BytesText;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.Terminal;
import corfu.runtime.LogEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Prints log entries. Scripts get a JSON object for each:
 *
 * <pre>
 *   {"address":0,"data":"hello"}    {"address":1,"base64":"/w=="}    bytes that are not UTF-8
 *   {"address":2,"hole":true}       {"address":3,"trimmed":true}     {"address":4,"unwritten":true}
 * </pre>
 *
 * People get the data of written entries; {@link #notShown} counts the others. A terminal shows
 * bytes that are not text in hex; a pipe or a file gets the bytes.
 */
public final class EntryPrinter {

  /** The form of the data for people. */
  public enum Form {
    /** The data and an end of line. */
    LINES,
    /** The address, the data and an end of line; also for entries without data. */
    WITH_ADDRESSES,
    /** The data alone, byte by byte. */
    BYTES
  }

  /** The kind of output, as far as it is known. */
  private enum Target {
    UNKNOWN,
    TERMINAL,
    BYTES
  }

  private final Terminal terminal;
  private final CommandOutput out;
  private final boolean json;
  private final Form form;
  private Target target = Target.UNKNOWN;
  private long notShown;

  public EntryPrinter(Terminal terminal, CommandOutput out, boolean json, Form form) {
    this.terminal = terminal;
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
      case LogEntry.Data data -> printData(data.payload());
      case LogEntry.Hole hole -> printState("(hole)");
      case LogEntry.Trimmed trimmed -> printState("(trimmed)");
      case LogEntry.Unwritten unwritten -> printState("(unwritten)");
    }
  }

  /** Prints an entry's data for people. */
  public void printData(ByteBuffer payload) {
    if (form == Form.BYTES) {
      out.bytes(payload);
    } else if (isShownInHex(payload)) {
      out.line(BytesText.preview(payload));
    } else {
      out.bytes(payload);
      out.line("");
    }
  }

  /** Asks for the kind of output once, before the first bytes that are not text. */
  private boolean isShownInHex(ByteBuffer payload) {
    if (target == Target.BYTES || BytesText.text(payload).isPresent()) {
      return false;
    }
    if (target == Target.UNKNOWN) {
      target = terminal.displaysOutput().getAsBoolean() ? Target.TERMINAL : Target.BYTES;
      if (target == Target.TERMINAL) {
        terminal.note(
            "corfu: entries that are not text are shown in hex; --binary writes their bytes");
      }
    }
    return target == Target.TERMINAL;
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

  /** Writes the data as text if it is UTF-8, or else in base64. */
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

  /** Returns the number of entries without data that were left out. */
  long notShown() {
    return notShown;
  }

  /**
   * Returns the exit status of a command about one entry; explains missing data on standard error.
   */
  int explain(LogEntry entry) {
    out.flush();
    return switch (entry) {
      case LogEntry.Data data -> ExitCode.OK;
      case LogEntry.Hole hole -> {
        terminal.note("corfu: address " + hole.address() + " is a hole: no writer completed it");
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
