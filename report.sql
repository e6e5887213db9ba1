CASE WHEN "income" <= 4.5
  THEN CASE WHEN "income" <= 2.5
    THEN CASE WHEN "debts" <= 0.5
      THEN 'no'
      ELSE 'no'
    END
    ELSE 'yes'
  END
  ELSE CASE WHEN "income" <= 5.5
    THEN 'no'
    ELSE 'yes'
  END
END
