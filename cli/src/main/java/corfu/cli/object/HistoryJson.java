package corfu.cli.object;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.shell.HistoryText;
import corfu.objects.history.HistoryEntry;
import java.io.IOException;

/**
 * Writes an object's history for scripts.
 *
 * <pre>
 *   {"address":17,"when":"2026-01-01T08:00:00Z","client":"00c0ffee00c0ffee","otherObjects":0,
 *    "calls":[{"operation":"put(Object,Object)","arguments":["\"alice\"","5"]}]}
 *   {"forgottenBefore":3}
 *   {"address":18,"problem":"not written by an object: ..."}
 * </pre>
 */
final class HistoryJson {

  private HistoryJson() {}

  static void write(HistoryEntry entry, JsonGenerator json) throws IOException {
    switch (entry) {
      case HistoryEntry.Changed changed -> write(changed, json);
      case HistoryEntry.Forgotten forgotten ->
          json.writeNumberField("forgottenBefore", forgotten.before().value());
      case HistoryEntry.Unreadable unreadable -> {
        json.writeNumberField("address", unreadable.address().value());
        json.writeStringField("problem", unreadable.problem());
      }
    }
  }

  private static void write(HistoryEntry.Changed changed, JsonGenerator json) throws IOException {
    json.writeNumberField("address", changed.address().value());
    json.writeStringField("when", changed.when().toString());
    json.writeStringField("client", HistoryText.client(changed.client()));
    json.writeNumberField("otherObjects", changed.otherObjects());
    json.writeArrayFieldStart("calls");
    for (HistoryEntry.Call call : changed.calls()) {
      json.writeStartObject();
      json.writeStringField("operation", call.operation());
      json.writeFieldName("arguments");
      JsonValues.write(call.arguments(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
