# frozen_string_literal: true

# Tells `signalbox run` what RSpec is doing: loaded by --require, beside the formatters of the project. It writes lines of
# JSON into the file of SIGNALBOX_FEED, never raises, prints nothing and does nothing without that file.

require 'json'

module SignalboxListener
  OUTCOMES = { passed: 'CleanPass', failed: 'Failed', pending: 'Skipped' }.freeze

  class << self
    def example_started(notification)
      tell(identity(notification.example))
    end

    def example_passed(notification) = ended(notification.example)
    def example_failed(notification) = ended(notification.example)
    def example_pending(notification) = ended(notification.example)

    def message(_notification) = nil

    def dump_summary(notification)
      outside = notification.respond_to?(:errors_outside_of_examples_count) ? notification.errors_outside_of_examples_count : 0
      return unless outside.positive?

      tell(feature: '', name: '(outside of examples)', outcome: 'Failed', message: "#{outside} errors outside of examples")
    end

    private

    def identity(example)
      file = example.metadata[:file_path].to_s.delete_prefix('./')
      { feature: file, name: example.full_description.strip, file: file, line: example.metadata[:line_number] }
    end

    def ended(example)
      result = example.execution_result
      told = identity(example).merge(outcome: OUTCOMES.fetch(result.status, 'Aborted'), durationMs: (result.run_time.to_f * 1000).round)
      told[:message] = result.pending_message if result.status == :pending
      told.merge!(failure(example, told)) if result.status == :failed
      tell(told)
    end

    def failure(example, told)
      error = example.exception
      stack = Array(error.backtrace).join("\n")
      line = stack[/#{Regexp.escape(told[:file])}:(\d+)/, 1]
      { message: error.message.to_s.strip, stackTrace: stack, line: line ? line.to_i : told[:line] }
    end

    def tell(told)
      @file ||= File.open(ENV.fetch('SIGNALBOX_FEED'), 'a').tap { |file| file.sync = true }
      @file.write("#{JSON.generate(told)}\n")
    rescue StandardError
      nil
    end
  end
end

if ENV['SIGNALBOX_FEED']
  begin
    RSpec.configure do |config|
      config.reporter.register_listener(
        SignalboxListener, :example_started, :example_passed, :example_failed, :example_pending, :dump_summary
      )
    end
  rescue StandardError
    nil
  end
end
